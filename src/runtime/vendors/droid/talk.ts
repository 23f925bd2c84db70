import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  type Ask,
  createParagraphs,
  createToolLog,
  type Talk,
  type TurnEvent,
  textEvent,
  thoughtEvent,
} from "../../headless/headless-form.js";
import type { Launch, PermissionOption, Usage } from "../../runtime.js";
import { serverName } from "../vendor.js";

/*
 * droid's JSON-RPC (`--input-format stream-jsonrpc`): a session is made or loaded, then it gets its prompt, tells of its turn
 * by notifications and asks for permission by requests. Flags do not reach such a session, so its settings are in the request
 * that makes it.
 */

const envelope = z.looseObject({
  type: z.string(),
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  result: z.looseObject({ sessionId: z.string().optional() }).nullish(),
  error: z.looseObject({ message: z.string().optional() }).nullish(),
  params: z.looseObject({ notification: z.looseObject({ type: z.string() }).optional() }).optional(),
});

const toolUse = z.looseObject({ id: z.string(), name: z.string(), input: z.unknown().optional() });
const notes = {
  text: z.looseObject({ messageId: z.string(), textDelta: z.string() }),
  message: z.looseObject({
    message: z.looseObject({
      id: z.string(),
      role: z.string(),
      content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).optional(),
    }),
  }),
  call: z.looseObject({ toolUse }),
  result: z.looseObject({ toolUseId: z.string(), isError: z.boolean().nullish() }),
  error: z.looseObject({ message: z.string() }),
  ended: z.looseObject({
    reason: z.string().nullish(),
    tokenUsage: z
      .looseObject({ inputTokens: z.number().optional(), outputTokens: z.number().optional() })
      .nullish(),
  }),
};
const asked = z.looseObject({
  toolUses: z.array(
    z.looseObject({ toolUse, confirmationType: z.string().optional(), details: z.unknown().optional() }),
  ),
  options: z.array(z.looseObject({ value: z.string(), label: z.string() })),
});

export function createDroidTalk(launch: Launch, turn: { prompt: string; session?: string }): Talk {
  const tools = createToolLog();
  const begun = new Map<string, string>();
  const opening = randomUUID();
  let session: string | undefined;
  const paragraphs = createParagraphs();
  /** Messages whose words were streamed; they come whole as well. */
  const streamed = new Set<string>();
  let failure: string | undefined;
  const request = (method: string, params: object, id: string = randomUUID()) => ({
    ...version,
    type: "request",
    id,
    method: `droid.${method}`,
    params,
  });

  function readOpened({ result, error }: z.infer<typeof envelope>): TurnEvent[] {
    if (result == null) return [failed(error?.message ?? "it opened no session")];
    session = result.sessionId ?? turn.session;
    return [
      ...(session === undefined ? [] : [{ kind: "session" as const, id: session }]),
      { kind: "send", line: request("add_user_message", { text: turn.prompt }) },
    ];
  }

  function readNote(note: { type: string }): TurnEvent[] {
    switch (note.type) {
      case "assistant_text_delta": {
        const { messageId = "", textDelta = "" } = notes.text.safeParse(note).data ?? {};
        if (textDelta === "") return [];
        const isFirst = !streamed.has(messageId);
        streamed.add(messageId);
        return isFirst ? paragraphs(textDelta) : textEvent(textDelta);
      }
      case "thinking_text_delta":
        return thoughtEvent(notes.text.safeParse(note).data?.textDelta ?? "");
      case "create_message":
        return readMessage(note);
      case "tool_call": {
        // It comes again as its input is written.
        const use = notes.call.safeParse(note).data?.toolUse;
        const key = JSON.stringify(use?.input ?? {});
        if (use === undefined || begun.get(use.id) === key) return [];
        begun.set(use.id, key);
        return tools.begin(use.id, use.name, use.input);
      }
      case "tool_result": {
        const { toolUseId, isError } = notes.result.safeParse(note).data ?? {};
        return toolUseId === undefined ? [] : tools.end(toolUseId, isError === true);
      }
      case "error":
        failure = notes.error.safeParse(note).data?.message ?? "it failed";
        return [];
      case "agent_turn_completed":
        return [readEnd(note)];
      default:
        return [];
    }
  }

  function readMessage(note: unknown): TurnEvent[] {
    const { id = "", role, content = [] } = notes.message.safeParse(note).data?.message ?? {};
    const text = content.flatMap((one) => (one.type === "text" ? [one.text ?? ""] : [])).join("");
    if (role === "user" && text !== "") return [{ kind: "kept" }];
    return role !== "assistant" || streamed.has(id) ? [] : paragraphs(text);
  }

  function readEnd(note: unknown): TurnEvent {
    const { reason, tokenUsage } = notes.ended.safeParse(note).data ?? {};
    const { inputTokens, outputTokens } = tokenUsage ?? {};
    const usage: Usage = {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
    if (reason === "completed" && failure === undefined) return { kind: "end", stop: "end_turn", usage };
    return {
      kind: "end",
      stop: "error",
      usage,
      error: failure ?? `it stopped for "${reason ?? "no reason"}"`,
    };
  }

  return {
    opening: [
      turn.session === undefined
        ? request("initialize_session", settingsOf(launch), opening)
        : request("load_session", { sessionId: turn.session }, opening),
    ],
    read(value) {
      const line = envelope.safeParse(value).data;
      if (line === undefined) return [];
      if (line.type === "response") {
        if (line.id === opening) return readOpened(line);
        return line.error == null ? [] : [failed(line.error.message ?? "it refused the prompt")];
      }
      if (line.type === "request") return readRequest(line);
      const note = line.params?.notification;
      return note === undefined ? [] : readNote(note);
    },
    interrupt: () => (session === undefined ? undefined : request("interrupt_session", {})),
  };
}

const version = { jsonrpc: "2.0", factoryApiVersion: "1.0.0" };

function failed(error: string): TurnEvent {
  return { kind: "end", stop: "error", error };
}

function readRequest({ id, method, params }: z.infer<typeof envelope>): TurnEvent[] {
  const respond = (result: object) => ({ ...version, type: "response", id, result });
  const parsed = method === "droid.request_permission" ? asked.safeParse(params).data : undefined;
  const [first] = parsed?.toolUses ?? [];
  if (parsed === undefined || first === undefined) {
    const error = { code: -32_601, message: `${method} is not served here` };
    return [{ kind: "send", line: { ...version, type: "response", id, error } }];
  }
  const { toolUses, options } = parsed;
  const ask: Ask = {
    id: String(id),
    isOwnTool: toolUses.every(({ toolUse: { name } }) => ownTools.test(name)),
    request: {
      tool: first.toolUse.name,
      title: toolUses.map(titleOf).join("; "),
      // Of several the one that weighs most.
      act: toolUses.map(actOf).find((act) => act === "execute") ?? actOf(first),
      details: toolUses.map(({ toolUse: { name, input }, details }) => ({ tool: name, input, details })),
      options: options.flatMap(toOption),
    },
    answer: (option) => respond({ selectedOption: option ?? "cancel" }),
  };
  return [{ kind: "ask", ask }];
}

type Use = z.infer<typeof asked>["toolUses"][number];

const ownTools = new RegExp(`^${serverName}___\\w+$`);
const inputSchema = z.looseObject({ command: z.string().optional(), file_path: z.string().optional() });

/** The command itself where there is one. */
function titleOf({ toolUse: { name, input } }: Use): string {
  const { command, file_path: path } = inputSchema.safeParse(input).data ?? {};
  return command ?? (path === undefined ? name : `${name} ${path}`);
}

const acts: Readonly<Record<string, string>> = {
  exec: "execute",
  create: "edit",
  edit: "edit",
  apply_patch: "edit",
};

function actOf({ confirmationType }: Use): string {
  return acts[confirmationType ?? ""] ?? "other";
}

/** What it calls "always" raises what the session may do by itself. */
const grants: Readonly<Record<string, PermissionOption["grants"]>> = {
  proceed_once: "once",
  proceed_always: "session",
  cancel: "deny",
};

function toOption({ value, label }: { value: string; label: string }): PermissionOption[] {
  const grant = grants[value];
  return grant === undefined ? [] : [{ id: value, label, grants: grant }];
}

/** What its flags would say, those of the person among them. */
function settingsOf({ backend: { args }, cwd, model }: Launch): object {
  const given = (...names: readonly string[]) => {
    const at = args.findLastIndex((arg) => names.includes(arg));
    return at < 0 ? undefined : args[at + 1];
  };
  const modelId = given("-m", "--model") ?? model;
  const reasoningEffort = given("-r", "--reasoning-effort");
  return {
    machineId: "huddle",
    cwd,
    interactionMode: "auto",
    autonomyLevel: given("--auto") ?? "off",
    ...(modelId === undefined ? {} : { modelId }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
}
