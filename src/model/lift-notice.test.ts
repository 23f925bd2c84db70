import { expect, test } from "vitest";
import { upcast } from "./events.js";

/* Messages as the first version stored them. */

const claimed = {
  type: "response",
  from: "ben",
  content: "claimed by ben",
  requestId: "req-1",
  metadata: { notice: "claimed", type: "inter-agent", sender: "ben" },
};

test.each([
  ["the notice of a claim", claimed, "claimed"],
  [
    "a request that is open again",
    { from: "hub", requestId: "req-1", metadata: { notice: "reopened" } },
    "reopened",
  ],
  ["a request that expired", { from: "hub", requestId: "req-1", metadata: { notice: "expired" } }, "expired"],
  ["a bounce", { from: "hub", metadata: { bounce: "m-1", to: "ben", reason: "agent_gone" } }, "bounce"],
  ["a failure", { from: "hub", metadata: { failure: "hal", reason: "x" } }, "failure"],
  ["a death", { from: "hub", metadata: { death: "hal" } }, "death"],
  ["a question to the person", { from: "hub", metadata: { ask: "conversation", conversation: "c" } }, "ask"],
])("what the hub said keeps its meaning: %s", (_, message, notice) => {
  expect(upcast("MessageAccepted", 1, { message })).toEqual({ message: { ...message, notice } });
});

test.each([
  ["an answer that calls itself one", { ...claimed, replyTo: "req-1" }],
  ["a message about nothing", { from: "ben", metadata: { notice: "claimed", bounce: "m-1" } }],
  [
    "a bounce of an agent's making, about a request",
    { from: "ben", requestId: "req-1", metadata: { bounce: "m-1" } },
  ],
  ["a message without metadata", { from: "hub" }],
])("and what a sender said gets none: %s", (_, message) => {
  expect(upcast("MessageAccepted", 1, { message })).toEqual({ message });
});

test("of what this version stores, the metadata means nothing", () => {
  expect(upcast("MessageAccepted", 2, { message: claimed })).toEqual({ message: claimed });
});
