import { z } from "zod";
import type { TurnStop, Usage } from "../runtime.js";
import {
  createParagraphs,
  createToolLog,
  type TurnEvent,
  type TurnReader,
  textEvent,
  thoughtEvent,
} from "./headless-form.js";

/** Claude Code's `stream-json` with partial messages, which qwen has too. */

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
});
const lineSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  session_id: z.string().optional(),
  /** Set on lines of a subagent, whose words are not the agent's own. */
  parent_tool_use_id: z.string().nullish(),
  event: z
    .looseObject({
      type: z.string(),
      delta: z.looseObject({ text: z.string().optional(), thinking: z.string().optional() }).optional(),
      content_block: block.optional(),
    })
    .optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(block)]).optional() }).optional(),
  is_error: z.boolean().nullish(),
  result: z.string().nullish(),
  stop_reason: z.string().nullish(),
  total_cost_usd: z.number().nullish(),
  usage: z
    .looseObject({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish(),
  error: z.union([z.string(), z.looseObject({ message: z.string().optional() })]).nullish(),
  errors: z.array(z.string()).nullish(),
});
type Line = z.infer<typeof lineSchema>;

/**
 * How a vendor counts tokens. Claude: those of the turn, without what came from its cache. qwen: those of the whole session,
 * with it. What claude says of the cost is of the whole session, resumed or not.
 */
export type TokenCount = "of the turn" | "of the session";

export function createStreamJsonReader(tokens: TokenCount = "of the turn"): TurnReader {
  const tools = createToolLog();
  const paragraphs = createParagraphs();
  /** Whether the message that will come whole has been streamed. */
  let streamed = { text: false, thought: false };
  let opening = true;

  function readDelta(event: NonNullable<Line["event"]>): TurnEvent[] {
    const { delta, content_block: begun } = event;
    if (event.type === "content_block_start" && begun?.type === "text") opening = true;
    if (event.type !== "content_block_delta" || delta === undefined) return [];
    if (delta.thinking !== undefined) {
      streamed.thought = true;
      return thoughtEvent(delta.thinking);
    }
    if (delta.text === undefined || delta.text === "") return [];
    streamed.text = true;
    const events = opening ? paragraphs(delta.text) : textEvent(delta.text);
    opening = false;
    return events;
  }

  function readBlocks(message: Line["message"]): TurnEvent[] {
    const content = message?.content;
    if (content === undefined || typeof content === "string") return [];
    return content.flatMap((one): TurnEvent[] => {
      const { type, id, tool_use_id: ended } = one;
      if (type === "text") return streamed.text ? [] : paragraphs(one.text ?? "");
      if (type === "thinking") return streamed.thought ? [] : thoughtEvent(one.thinking ?? "");
      if (type === "tool_use" && id !== undefined) return tools.begin(id, one.name ?? "a tool", one.input);
      if (type === "tool_result" && ended !== undefined) return tools.end(ended, one.is_error === true);
      return [];
    });
  }

  function readAssistant(line: Line): TurnEvent[] {
    const events = readBlocks(line.message);
    streamed = { text: false, thought: false };
    return events;
  }

  return (value) => {
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return [];
    const line = parsed.data;
    if (line.parent_tool_use_id != null) return [];
    switch (line.type) {
      case "system":
        return line.subtype === "init" && line.session_id !== undefined
          ? [{ kind: "session", id: line.session_id }]
          : [];
      case "stream_event":
        return line.event === undefined ? [] : readDelta(line.event);
      case "assistant":
        return readAssistant(line);
      case "user":
        // What is said to the agent is not its output; what its tools returned is.
        return readBlocks(line.message).filter(isOfTool);
      case "result":
        return [readResult(line, tokens)];
      default:
        return [];
    }
  };
}

function isOfTool(event: TurnEvent): boolean {
  return event.kind === "output" && event.part.kind === "tool";
}

function readResult(line: Line, tokens: TokenCount): TurnEvent {
  const usage = tokens === "of the turn" ? tokensOf(line, "beside the cache") : {};
  const sessionUsage = {
    ...(tokens === "of the session" ? tokensOf(line, "with the cache") : {}),
    ...(line.total_cost_usd == null ? {} : { costUsd: line.total_cost_usd }),
  };
  const stop = stopOf(line);
  const error = stop === "error" ? errorOf(line) : undefined;
  return {
    kind: "end",
    stop,
    ...(Object.keys(usage).length === 0 ? {} : { usage }),
    ...(Object.keys(sessionUsage).length === 0 ? {} : { sessionUsage }),
    ...(error === undefined ? {} : { error }),
  };
}

function stopOf({ subtype, is_error, stop_reason }: Line): TurnStop {
  if (subtype === "error_max_turns") return "max_turns";
  if (is_error === true || (subtype !== undefined && subtype !== "success")) return "error";
  if (stop_reason === "refusal") return "refusal";
  return stop_reason === "max_tokens" ? "max_tokens" : "end_turn";
}

function errorOf({ error, errors, result, subtype }: Line): string {
  const own = typeof error === "string" ? error : error?.message;
  return own ?? errors?.join("; ") ?? result ?? subtype ?? "it failed";
}

function tokensOf({ usage }: Line, input: "beside the cache" | "with the cache"): Usage {
  const cached = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
  const beside = input === "beside the cache" ? cached : 0;
  return {
    ...(usage?.input_tokens == null ? {} : { inputTokens: usage.input_tokens + beside }),
    ...(usage?.output_tokens == null ? {} : { outputTokens: usage.output_tokens }),
  };
}
