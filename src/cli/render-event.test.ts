import pc from "picocolors";
import { expect, test } from "vitest";
import { shownTypes } from "../contract/events/events.js";
import { eventTypes } from "../model/events.js";
import { agentNames } from "./agent-names.js";
import { renderEvent } from "./render-event.js";

const plain = { colors: pc.createColors(false), width: undefined };
const names = agentNames([{ id: "id-bob", name: "bob", team: "main" }]);
const frame = (type: string, data: Record<string, unknown>) => ({
  seq: 1,
  at: "2026-01-01T12:35:01.000Z",
  type,
  sessionId: null,
  data,
});
const accepted = (content: string, more = {}) =>
  frame("MessageAccepted", {
    message: {
      id: "m1",
      type: "message",
      from: "id-amy",
      fromName: "amy",
      to: [{ agent: "id-bob", name: "bob" }],
      toName: "bob",
      content,
      attention: "queue",
      source: "agent",
      trust: "local",
      conversation: "m1",
      hop: 0,
      ...more,
    },
  });

const textOf = (...args: Parameters<typeof renderEvent>) =>
  renderEvent(...args).replace(/^\d\d:\d\d:01 /, "");

test("a message is one line: who to whom, and what", () => {
  expect(textOf(accepted("hello\n\n  there\t!"), names, plain)).toBe("amy → bob  hello there !");
  expect(textOf(accepted("help", { type: "request" }), names, plain)).toBe("amy → bob  request: help");
});

test("a line does not grow beyond the terminal", () => {
  const line = renderEvent(accepted("word ".repeat(50)), names, { ...plain, width: 60 });
  expect(line).toMatch(/…$/);
  expect(line.length).toBeLessThanOrEqual(60);
});

test("content cannot command the terminal", () => {
  expect(textOf(accepted("\x1b]0;x\x07\u202e"), names, plain)).toBe("amy → bob  \\x1b]0;x\\x07\\u202e");
  expect(
    textOf(frame("PresenceChanged", { agent: "id-bob", status: "idle", evidence: "\x1b[2J" }), names, plain),
  ).toBe("bob is idle (\\x1b[2J)");
});

test.each([
  [
    "AgentRegistered",
    {
      agent: "a",
      name: "amy",
      role: "agent",
      team: "main",
      project: null,
      model: null,
      backend: "codex",
      heartbeat: false,
    },
    "+ amy joined (team main, codex)",
  ],
  ["AgentRenamed", { agent: "a", from: "amy", to: "ann", heldUntil: 5 }, "amy is now ann"],
  ["AgentUpdated", { agent: "id-bob", team: "red" }, "bob now has team red"],
  ["AgentDeregistered", { agent: "a", name: "amy", reason: "removed" }, "- amy was removed"],
  [
    "MessagesSeen",
    { agent: "id-bob", evidence: "ack", deliveries: [{ seq: 1, id: "m1", from: "a" }] },
    "bob has read 1 message",
  ],
  [
    "MessageExpired",
    { agent: "id-bob", delivery: { seq: 1, id: "m1", from: "human" } },
    "a message of user to bob expired unread (m1)",
  ],
  [
    "DeliveriesFailed",
    { agent: "id-bob", reason: "agent_gone", deliveries: [] },
    "! 0 messages to bob failed: agent_gone",
  ],
  [
    "MessagesReturned",
    { agent: "id-bob", turn: "t1", reason: "interrupted", deliveries: [{ seq: 1, id: "m1", from: "a" }] },
    "1 message to bob waits again (interrupted)",
  ],
  [
    "MessagesKeptWaiting",
    {
      agent: "id-bob",
      reason: "pane_not_ready",
      deliveries: [{ seq: 1, id: "m1", from: "a", waitedMs: 30_000 }],
    },
    "! 1 message to bob waits (pane_not_ready)",
  ],
  [
    "MessagesMixed",
    { agent: "id-bob", turn: "t1", deliveries: [{ seq: 1, id: "m1", from: "a" }] },
    "! bob got 1 message together with what was typed in its pane",
  ],
  [
    "MessageReleased",
    { agent: "id-bob", delivery: { seq: 1, id: "m1", from: "human" } },
    "bob may read a message of user now (m1)",
  ],
  [
    "RequestOpened",
    {
      request: {
        id: "req-1",
        from: "id-bob",
        fromName: "bob",
        description: "Verify\n this",
        timeoutMs: 5,
        expiresAt: 9,
        nudgeAt: 7,
      },
    },
    "bob asks for help: Verify this (req-1)",
  ],
  [
    "RequestNudged",
    { request: "req-1", from: "id-bob", by: "hub" },
    "everybody was reminded of bob's request (req-1)",
  ],
  [
    "ConversationPaused",
    { conversation: "c1", reason: "budget", hop: 24, messages: 30 },
    "? agents that answer each other wait for you (huddle conversations continue|freeze c1)",
  ],
  ["ConversationFrozen", { conversation: "c1" }, "a conversation was ended (c1)"],
  [
    "PaneAdopted",
    { agent: "id-bob", adopted: { target: "%3", bridged: true }, backend: "codex", permissions: "ask" },
    "bob gets its mail typed into pane %3",
  ],
  [
    "PaneLetGo",
    { agent: "id-bob", reason: "closed", why: "its process ended (code 0)" },
    "bob reads its mail by its own bridge again: its process ended (code 0)",
  ],
  ["SessionChanged", { agent: "id-bob", session: "s1" }, "bob is in the session s1"],
  ["WorkflowStarted", { x: 1 }, 'WorkflowStarted {"x":1}'],
])("%s reads as a sentence", (type, data, sentence) => {
  expect(textOf(frame(type, data), names, plain)).toBe(sentence);
});

test("every type of event that leaves the hub has a sentence", () => {
  const secret: readonly string[] = [
    "CredentialIssued",
    "AlarmFired",
    "FramesNumbered",
    "FramesAcknowledged",
    "FramesReceived",
  ];
  expect(eventTypes.filter((type) => !secret.includes(type)).sort()).toEqual([...shownTypes].sort());
});

test("names are learned from what goes by", () => {
  const learning = agentNames([]);
  const seen = (agent: string) => frame("MessagesSeen", { agent, evidence: "ack", deliveries: [] });
  expect(textOf(seen("id-amy-0000"), learning, plain)).toBe("id-amy-0 has read 0 messages");
  learning.learn(accepted("hi"));
  expect(textOf(seen("id-bob"), learning, plain)).toBe("bob has read 0 messages");
  learning.learn(frame("AgentRenamed", { agent: "id-bob", from: "bob", to: "rob", heldUntil: 5 }));
  expect(textOf(seen("id-bob"), learning, plain)).toBe("rob has read 0 messages");
});

test("of two agents of one name the team says which", () => {
  const known = agentNames([
    { id: "id-1", name: "alpha/ana", team: "alpha" },
    { id: "id-2", name: "beta/ana", team: "beta" },
    { id: "id-bob", name: "bob", team: "main" },
  ]);
  const message = {
    id: "m1",
    type: "message",
    from: "id-1",
    fromName: "ana",
    toName: "bob",
    content: "hi",
    to: [{ agent: "id-bob", name: "bob" }],
    attention: "queue",
    source: "agent",
    trust: "local",
    conversation: "m1",
    hop: 0,
  };

  expect(renderEvent(frame("MessageAccepted", { message }), known, plain)).toContain("alpha/ana → bob  hi");
  known.learn(frame("AgentRenamed", { agent: "id-2", from: "ana", to: "eve", heldUntil: 0 }));
  expect(renderEvent(frame("MessageAccepted", { message }), known, plain)).toContain(" ana → bob  hi");
});
