import { isObject, type Json } from "../bridge/json.js";
import { parseJson } from "../model/parse-json.js";

/** What Claude Code tells a hook, as far as it matters here. */
export type HookEvent = {
  name: EventName;
  session: string;
  /**
   * Of SessionStart: what came before. `resume`: an earlier session is taken up; `compact`: the context was compacted, which
   * can be in the middle of a turn.
   */
  after: "resume" | "compact" | undefined;
  /** A Stop hook has kept this turn going before. */
  stopHookActive: boolean;
  /** Of UserPromptSubmit: what was submitted. */
  prompt: string;
  /** Of PostToolUse: the word by which the answer of our own tool is acknowledged. */
  toolAck: string | undefined;
};

const eventNames = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"] as const;
export type EventName = (typeof eventNames)[number];

const afters = ["resume", "compact"] as const;

/** The tools whose answers hold mail. */
const MAIL_TOOL = /^mcp__.+__(check_messages|wait_for_message)$/;
const HEAD = /^\s*\{"session_id":"([\w-]{1,100})".{0,20000}?"hook_event_name":"(\w{1,40})"/s;

/**
 * Undefined for what is no event of ours; so are those of subagents, whose context ends with them: what they were told, the
 * session would never know.
 */
export function readEvent(text: string): HookEvent | undefined {
  const value = parseJson(text);
  const given = isObject(value) ? value : headOf(text);
  const { hook_event_name: named, session_id: session, agent_id: subagent, prompt } = given;
  const name = eventNames.find((each) => each === named);
  if (name === undefined || typeof session !== "string" || session === "" || subagent !== undefined) {
    return undefined;
  }
  return {
    name,
    session,
    after: name === "SessionStart" ? afters.find((after) => after === given["source"]) : undefined,
    stopHookActive: given["stop_hook_active"] === true,
    prompt: typeof prompt === "string" ? prompt : "",
    toolAck: name === "PostToolUse" ? ackOf(given) : undefined,
  };
}

/** A tool's answer can be so large that only the beginning of the event was read. What matters of it comes before. */
function headOf(text: string): Json {
  const [head, session_id, hook_event_name] = HEAD.exec(text) ?? [];
  // A Stop is never so large, and says more.
  if (hook_event_name !== "PostToolUse" || head === undefined || head.includes('"agent_id":')) return {};
  return { session_id, hook_event_name };
}

/** An answer that the program has got to the point of telling its hooks has arrived. */
function ackOf({ tool_name, tool_response }: Json): string | undefined {
  if (typeof tool_name !== "string" || !MAIL_TOOL.test(tool_name)) return undefined;
  const blocks: unknown[] = Array.isArray(tool_response) ? tool_response : [tool_response];
  for (const block of blocks) {
    const text = isObject(block) ? block["text"] : block;
    const answer = typeof text === "string" ? parseJson(text) : undefined;
    const ack = isObject(answer) ? answer["ack"] : undefined;
    if (typeof ack === "string" && ack !== "") return ack;
  }
  return undefined;
}
