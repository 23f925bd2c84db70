import { z } from "zod";
import type { ContextUse } from "../../model/turn.js";
import type { OutputPart, Usage } from "../runtime.js";

/*
 * What an agent streams, read leniently: a vendor's own kind of update, or a field of another shape, is not an error of
 * the turn. Kinds that are not named here (commands, modes, titles) tell nothing that a turn keeps.
 */

export type ToolFacts = { title: string; name?: string; kind?: string; input?: unknown; places?: unknown };

export type Update =
  | { kind: "output"; part: OutputPart }
  | { kind: "tool"; part: OutputPart; id: string; facts: ToolFacts }
  | { kind: "usage"; sessionUsd?: number; context?: ContextUse }
  | { kind: "replayed"; text: string };

const content = z.looseObject({ type: z.string(), text: z.string().optional() });
const chunk = z.looseObject({ content });
export const toolCallSchema = z.looseObject({
  toolCallId: z.string(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  rawInput: z.unknown().optional(),
  locations: z.unknown().optional(),
});
const plan = z.looseObject({ entries: z.array(z.looseObject({ content: z.string(), status: z.string() })) });
const usage = z.looseObject({
  used: z.number().min(0).nullish(),
  size: z.number().positive().nullish(),
  cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish(),
});

export const notificationSchema = z.looseObject({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

/** `known` is what earlier updates told of the same tool call: later ones name only what changed. */
export function readUpdate(
  update: { sessionUpdate: string },
  known: (toolCall: string) => ToolFacts | undefined,
): Update | undefined {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return textOf(update, (text) => ({ kind: "output", part: { kind: "text", text } }));
    case "agent_thought_chunk":
      return textOf(update, (text) => ({ kind: "output", part: { kind: "thought", text } }));
    case "user_message_chunk":
      return textOf(update, (text) => ({ kind: "replayed", text }));
    case "tool_call":
    case "tool_call_update":
      return toolOf(update, known);
    case "plan": {
      const parsed = plan.safeParse(update);
      if (!parsed.success) return undefined;
      const entries = parsed.data.entries.map((entry) => ({ text: entry.content, status: entry.status }));
      return { kind: "output", part: { kind: "plan", entries } };
    }
    case "usage_update": {
      const { cost, used, size } = usage.safeParse(update).data ?? {};
      const told = {
        ...(cost?.currency === "USD" ? { sessionUsd: cost.amount } : {}),
        ...(typeof used === "number" && typeof size === "number" ? { context: { used, size } } : {}),
      };
      return Object.keys(told).length === 0 ? undefined : { kind: "usage", ...told };
    }
    default:
      return undefined;
  }
}

function textOf(update: unknown, make: (text: string) => Update): Update | undefined {
  const text = chunk.safeParse(update).data?.content.text;
  return text === undefined || text === "" ? undefined : make(text);
}

function toolOf(update: unknown, known: (toolCall: string) => ToolFacts | undefined): Update | undefined {
  const parsed = toolCallSchema.safeParse(update);
  if (!parsed.success) return undefined;
  const id = parsed.data.toolCallId;
  const facts = mergeFacts(known(id), parsed.data);
  const status = statusWords[parsed.data.status ?? ""] ?? "running";
  const act = facts.kind === undefined ? {} : { act: facts.kind };
  return { kind: "tool", id, facts, part: { kind: "tool", id, title: facts.title, ...act, status } };
}

export function mergeFacts(before: ToolFacts | undefined, now: z.infer<typeof toolCallSchema>): ToolFacts {
  const name = now.name ?? before?.name;
  const kind = now.kind ?? before?.kind;
  const input = now.rawInput ?? before?.input;
  const places = now.locations ?? before?.places;
  return {
    title: now.title ?? before?.title ?? name ?? "a tool",
    ...(name === undefined ? {} : { name }),
    ...(kind === undefined ? {} : { kind }),
    ...(input === undefined ? {} : { input }),
    ...(places === undefined ? {} : { places }),
  };
}

const statusWords: Readonly<Record<string, "pending" | "running" | "done" | "failed">> = {
  pending: "pending",
  in_progress: "running",
  completed: "done",
  failed: "failed",
};

const tokens = z.looseObject({
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cachedReadTokens: z.number().nullish(),
  cachedWriteTokens: z.number().nullish(),
});

/** Some agents put the tokens of a turn into its answer. What came from the vendor's cache is not among those that went in. */
export function readTokens(value: unknown): Usage | undefined {
  const { inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens } =
    tokens.safeParse(value).data ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cached = (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens: inputTokens + cached }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}
