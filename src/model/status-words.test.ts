import { expect, test } from "vitest";
import { agentStatuses } from "./agent.js";
import { statusWord } from "./status-words.js";

// The inner word, and what tabs, sessions, tools and peers are shown.
const table = [
  ["busy", "streaming", "streaming", "running", "busy"],
  ["waiting", "streaming", "streaming", "waiting", "busy"],
  ["stalled", "streaming", "error", "running", "busy"],
  ["listening", "idle", "idle", "waiting", "idle"],
  ["rate_limited", "rate_limited", "idle", "idle", "idle"],
  ["limited", "rate_limited", "idle", "waiting", "busy"],
  ["error", "idle", "error", "idle", "offline"],
  ["dormant", "idle", "idle", "idle", "idle"],
  ["starting", "idle", "idle", "idle", "idle"],
  ["idle", "idle", "idle", "idle", "idle"],
  ["offline", "idle", "idle", "dead", "offline"],
  ["dead", "idle", "idle", "dead", "offline"],
] as const;

test.each(table)("%s is shown as %s / %s / %s / %s", (status, tabs, sessions, tools, peers) => {
  expect(statusWord("tabs", status)).toBe(tabs);
  expect(statusWord("sessions", status)).toBe(sessions);
  expect(statusWord("tools", status)).toBe(tools);
  expect(statusWord("peers", status)).toBe(peers);
});

test("every status has its row", () => {
  expect(table.map(([status]) => status).toSorted()).toEqual(agentStatuses.toSorted());
});
