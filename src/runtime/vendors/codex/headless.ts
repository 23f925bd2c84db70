import { z } from "zod";
import type { PermissionPolicy } from "../../backend.js";
import {
  createParagraphs,
  createToolLog,
  type HeadlessForm,
  type TurnEvent,
  type TurnReader,
  thoughtEvent,
} from "../../headless/headless-form.js";
import type { Usage } from "../../runtime.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, wired }) => [
    "exec",
    "--json",
    "--skip-git-repo-check",
    "-c",
    `sandbox_mode="${sandbox[backend.permissions]}"`,
    ...(model === undefined ? [] : ["-c", `model=${JSON.stringify(model)}`]),
    ...wired,
    ...(session === undefined ? [] : ["resume", session]),
    "-",
  ],
  createReader,
  readRefusals,
  keepsPrompts: true,
};

/** It never asks here. In a trusted project it would write by itself. */
const sandbox: Readonly<Record<PermissionPolicy, string>> = {
  ask: "read-only",
  "allow-reads": "read-only",
  deny: "read-only",
  "allow-all": "danger-full-access",
};

const item = z.looseObject({
  id: z.string(),
  type: z.string(),
  text: z.string().optional(),
  message: z.string().optional(),
  command: z.string().optional(),
  aggregated_output: z.string().nullish(),
  server: z.string().optional(),
  tool: z.string().optional(),
  query: z.string().optional(),
  status: z.string().nullish(),
  changes: z.array(z.looseObject({ path: z.string() })).optional(),
  items: z.array(z.looseObject({ text: z.string(), completed: z.boolean() })).optional(),
});
const lineSchema = z.looseObject({
  type: z.string(),
  thread_id: z.string().optional(),
  item: item.optional(),
  message: z.string().optional(),
  error: z.looseObject({ message: z.string().optional() }).nullish(),
  usage: z.looseObject({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() }).nullish(),
});
type Item = z.infer<typeof item>;

function createReader(): TurnReader {
  const tools = createToolLog();
  const paragraphs = createParagraphs();
  const begun = new Set<string>();

  function readItem(one: Item, done: boolean): TurnEvent[] {
    switch (one.type) {
      case "agent_message":
        return done ? paragraphs(one.text ?? "") : [];
      case "reasoning":
        return done ? thoughtEvent(one.text ?? "") : [];
      case "todo_list": {
        const entries = (one.items ?? []).map(({ text, completed }) => ({
          text,
          status: completed ? "completed" : "pending",
        }));
        return [{ kind: "output", part: { kind: "plan", entries } }];
      }
      case "error":
        return [];
      default:
        return readTool(one, done);
    }
  }

  function readTool(one: Item, done: boolean): TurnEvent[] {
    const beginning = begun.has(one.id) ? [] : tools.begin(one.id, nameOf(one), inputOf(one));
    begun.add(one.id);
    if (!done) return beginning;
    return [...beginning, ...tools.end(one.id, one.status === "failed"), ...refusalOf(one)];
  }

  return (value) => {
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return [];
    const line = parsed.data;
    switch (line.type) {
      case "thread.started":
        return line.thread_id === undefined ? [] : [{ kind: "session", id: line.thread_id }];
      case "turn.started":
        return [{ kind: "kept" }];
      case "item.started":
      case "item.updated":
      case "item.completed":
        return line.item === undefined ? [] : readItem(line.item, line.type === "item.completed");
      case "turn.completed":
        return [{ kind: "end", stop: "end_turn", ...usageOf(line.usage) }];
      case "turn.failed":
        return [{ kind: "end", stop: "error", error: line.error?.message ?? "the turn failed" }];
      default:
        return [];
    }
  };
}

/** As the system says it of what a sandbox does not allow. */
const notAllowed = /Read-only file system|Operation not permitted|Permission denied|Could not resolve host/i;

function refusalOf({ type, status, command, aggregated_output: output, changes }: Item): TurnEvent[] {
  if (status !== "failed") return [];
  if (type === "file_change" && changes !== undefined)
    return changes.map(({ path }) => ({ kind: "refused", what: `change ${path}` }));
  return command !== undefined && notAllowed.test(output ?? "") ? [{ kind: "refused", what: command }] : [];
}

/** It names no command there. */
function readRefusals(stderr: string): readonly string[] {
  return stderr.includes("you cannot ask for escalated permissions")
    ? ["a command outside of its sandbox, which codex does not name"]
    : [];
}

function nameOf({ type, server, tool }: Item): string {
  if (server !== undefined || tool !== undefined) return [server, tool].filter(Boolean).join(".");
  return type;
}

function inputOf({ command, query, changes }: Item): unknown {
  return { on: command ?? query ?? changes?.map(({ path }) => path).join(", ") ?? "" };
}

/** It counts from the beginning of the session, resumed or not. */
function usageOf(usage: z.infer<typeof lineSchema>["usage"]): { sessionUsage?: Usage } {
  if (usage == null) return {};
  return {
    sessionUsage: {
      ...(usage.input_tokens == null ? {} : { inputTokens: usage.input_tokens }),
      ...(usage.output_tokens == null ? {} : { outputTokens: usage.output_tokens }),
    },
  };
}
