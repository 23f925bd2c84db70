import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { refusalOf } from "../../../test/refusal-of.js";
import { findSender } from "./find-sender.js";
import type { ToolCall } from "./tool.js";

test("a sender is found by name or id; nobody is asked for when none is named; an unknown one is refused", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  const call = { ports: { views: hub.views }, me: alice } as unknown as ToolCall;

  expect(findSender("alice", call)).toBe(alice);
  expect(findSender(alice, call)).toBe(alice);
  expect(findSender(undefined, call)).toBeUndefined();
  expect(refusalOf(() => findSender("alise", call))).toMatchObject({
    code: "AGENT_NOT_FOUND",
    details: { did_you_mean: "alice" },
  });
});
