import { z } from "zod";
import {
  createParagraphs,
  createToolLog,
  type HeadlessForm,
  type TurnReader,
  thoughtEvent,
} from "../../headless/headless-form.js";
import type { Launch } from "../../runtime.js";
import { serverName } from "../vendor.js";
import { createDroidTalk } from "./talk.js";

export const headlessForm: HeadlessForm = {
  args: (launch, turn) => (asks(launch) ? talkArgs(turn) : plainArgs(launch, turn)),
  createReader,
  createTalk: (launch, turn) => (asks(launch) ? createDroidTalk(launch, turn) : undefined),
  keepsPrompts: true,
};

/** Sessions that are talked to cannot be freed of all checks. */
function asks({ backend }: Launch): boolean {
  return backend.permissions !== "allow-all";
}

type Turn = Parameters<HeadlessForm["args"]>[1];

function talkArgs({ wired }: Turn): readonly string[] {
  return ["exec", "--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc", ...wired];
}

function plainArgs({ model }: Launch, { session, wired }: Turn): readonly string[] {
  return [
    "exec",
    "--output-format",
    "stream-json",
    "--add-tools",
    `MCP:${serverName}`,
    "--skip-permissions-unsafe",
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--session-id", session]),
    ...wired,
  ];
}

const lineSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  session_id: z.string().optional(),
  role: z.string().optional(),
  id: z.string().optional(),
  text: z.string().optional(),
  toolName: z.string().optional(),
  parameters: z.unknown().optional(),
  isError: z.boolean().optional(),
  message: z.string().optional(),
  usage: z
    .looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() })
    .nullish(),
});

function createReader(): TurnReader {
  const tools = createToolLog();
  const paragraphs = createParagraphs();
  let lastThought = "";
  return (value) => {
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return [];
    const line = parsed.data;
    switch (line.type) {
      case "system":
        return line.subtype === "init" && line.session_id !== undefined
          ? [{ kind: "session", id: line.session_id }]
          : [];
      case "message":
        if (line.role === "user") return [{ kind: "kept" }];
        return line.role === "assistant" ? paragraphs(line.text ?? "") : [];
      case "reasoning": {
        // Each is printed twice.
        const key = `${line.id ?? ""} ${line.text ?? ""}`;
        if (key === lastThought) return [];
        lastThought = key;
        return thoughtEvent(line.text ?? "");
      }
      case "tool_call":
        return line.id === undefined ? [] : tools.begin(line.id, line.toolName ?? "a tool", line.parameters);
      case "tool_result":
        return line.id === undefined ? [] : tools.end(line.id, line.isError === true);
      case "completion": {
        const { input_tokens: inputTokens, output_tokens: outputTokens } = line.usage ?? {};
        const usage = {
          ...(inputTokens === undefined ? {} : { inputTokens }),
          ...(outputTokens === undefined ? {} : { outputTokens }),
        };
        return [{ kind: "end", stop: "end_turn", usage }];
      }
      case "error":
        return [{ kind: "end", stop: "error", error: line.message ?? "it failed" }];
      default:
        return [];
    }
  };
}
