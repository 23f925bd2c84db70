import { expect, test } from "vitest";
import { readEvent } from "./hook-event.js";

const event = (more: object) => JSON.stringify({ session_id: "s-1", cwd: "/x", ...more });

test("events of a session are read, others are not", () => {
  expect(readEvent(event({ hook_event_name: "Stop", stop_hook_active: true }))).toMatchObject({
    name: "Stop",
    session: "s-1",
    stopHookActive: true,
  });
  expect(readEvent(event({ hook_event_name: "Stop" }))).toMatchObject({ stopHookActive: false });
  expect(readEvent(event({ hook_event_name: "SubagentStop" }))).toBeUndefined();
  expect(readEvent(event({ hook_event_name: "PostToolUse", agent_id: "a" }))).toBeUndefined();
  expect(readEvent("")).toBeUndefined();
});

test("what a session's start came after is known, and of no other event", () => {
  const after = (more: object) => readEvent(event(more))?.after;
  expect(after({ hook_event_name: "SessionStart", source: "compact" })).toBe("compact");
  expect(after({ hook_event_name: "SessionStart", source: "resume" })).toBe("resume");
  expect(after({ hook_event_name: "SessionStart", source: "startup" })).toBeUndefined();
  expect(after({ hook_event_name: "Stop", source: "compact" })).toBeUndefined();
});

test("of an event that was cut off its head counts, unless it is a subagent's", () => {
  const whole = event({ hook_event_name: "PostToolUse", tool_response: "x".repeat(1000) });
  expect(readEvent(whole.slice(0, 300))).toMatchObject({ name: "PostToolUse", session: "s-1" });
  const sub = event({ agent_id: "a", hook_event_name: "PostToolUse", tool_response: "x".repeat(1000) });
  expect(readEvent(sub.slice(0, 300))).toBeUndefined();
  // Only text in the middle of something else.
  expect(readEvent(`{"a":"${whole.replaceAll('"', '\\"')}`)).toBeUndefined();
});

test("the ack of an answer with mail is found in every form that an answer has, and nowhere else", () => {
  const answer = JSON.stringify({ messages: [{ id: "m", content: '{"ack":"no"}' }], ack: "1a.2b" });
  const after = (tool_name: string, tool_response: unknown) =>
    readEvent(event({ hook_event_name: "PostToolUse", tool_name, tool_response }))?.toolAck;
  expect(after("mcp__huddle__check_messages", [{ type: "text", text: answer }])).toBe("1a.2b");
  expect(after("mcp__huddle__wait_for_message", answer)).toBe("1a.2b");
  expect(after("mcp__huddle__check_messages", { text: answer })).toBe("1a.2b");
  expect(after("mcp__huddle__list_agents", [{ text: answer }])).toBeUndefined();
  expect(after("Bash", answer)).toBeUndefined();
  expect(after("mcp__huddle__check_messages", [{ text: '{"error":"x"}' }, 5, null])).toBeUndefined();
});
