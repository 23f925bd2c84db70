import { RequestError, type RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentHost, PermissionAnswer, PermissionOption } from "../runtime.js";
import { mergeFacts, type ToolFacts, toolCallSchema } from "./read-update.js";

/*
 * Permission requests of one agent. Each is answered: by the host, or `cancelled` when the turn is, when the agent takes
 * it back or when the turn ends. While a turn is being cancelled, later ones are answered `cancelled` at once.
 * Huddle's own tools are granted without asking anybody.
 */

type PermissionAnswers = {
  ask(params: unknown, withdrawn: AbortSignal): Promise<RequestPermissionResponse>;
  /** Answers every open request, and later ones until `reopen`, with `cancelled`. */
  cancel(): void;
  reopen(): void;
};

const most = 64;
const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

const requestSchema = z.looseObject({
  toolCall: toolCallSchema,
  options: z.array(z.looseObject({ optionId: z.string(), name: z.string(), kind: z.string() })).min(1),
});

export function createPermissionAnswers(
  host: Pick<AgentHost, "permission">,
  known: (toolCall: string) => ToolFacts | undefined,
  ownTools?: RegExp,
): PermissionAnswers {
  const open = new Set<AbortController>();
  let closed = false;
  return {
    async ask(params, withdrawn) {
      const parsed = requestSchema.safeParse(params);
      if (!parsed.success) throw RequestError.invalidParams(undefined, z.prettifyError(parsed.error));
      if (closed || open.size >= most) return cancelled;
      const { toolCall, options } = parsed.data;
      const facts = mergeFacts(known(toolCall.toolCallId), toolCall);
      if (ownTools?.test(facts.name ?? facts.title) === true) {
        const once = options.find(({ kind }) => kind === "allow_once");
        if (once !== undefined) return outcomeOf({ option: once.optionId }, options);
      }
      const gone = new AbortController();
      const withdraw = () => gone.abort();
      withdrawn.addEventListener("abort", withdraw, { once: true });
      open.add(gone);
      try {
        const answer = await Promise.race([
          host.permission({
            tool: facts.name ?? facts.title,
            title: facts.title,
            act: facts.kind ?? "other",
            details: { input: facts.input, locations: facts.places, content: toolCall["content"] },
            options: options.map(readOption),
            signal: gone.signal,
          }),
          whenAborted(gone.signal),
        ]);
        return outcomeOf(answer, options);
      } finally {
        open.delete(gone);
        withdrawn.removeEventListener("abort", withdraw);
      }
    },
    cancel() {
      closed = true;
      for (const request of open) request.abort();
    },
    reopen() {
      closed = false;
    },
  };
}

function readOption(option: { optionId: string; name: string; kind: string }): PermissionOption {
  return { id: option.optionId, label: option.name, grants: grants[option.kind] ?? "deny" };
}

const grants: Readonly<Record<string, PermissionOption["grants"]>> = {
  allow_once: "once",
  allow_always: "always",
  reject_once: "deny",
  reject_always: "deny_always",
};

function outcomeOf(
  answer: PermissionAnswer,
  options: readonly { optionId: string }[],
): RequestPermissionResponse {
  if (answer === "cancelled") return cancelled;
  const chosen = options.find(({ optionId }) => optionId === answer.option);
  return chosen === undefined ? cancelled : { outcome: { outcome: "selected", optionId: chosen.optionId } };
}

function whenAborted(signal: AbortSignal): Promise<"cancelled"> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("cancelled"), { once: true });
  });
}
