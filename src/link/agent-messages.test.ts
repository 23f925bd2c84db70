import { expect, test } from "vitest";
import { peerAt } from "../../test/fakes/link-yard.js";
import { linkMail } from "../../test/fakes/scripted-link-hub.js";
import { agentMessage } from "../contract/link/agent-message.js";
import type { Typed } from "../model/typed-message.js";
import { toAgentMessage, toLinkMail } from "./agent-messages.js";

const head = { from: "r2d2", timestamp: "2026-02-03T10:00:00.000Z", messageId: "m1" };
const r2d2 = peerAt("r2d2", 1, { kind: "plain" });
const receive = (message: object) => toLinkMail(agentMessage.parse({ ...head, ...message }), r2d2);

test("a text is mail from the peer's front to whoever gets what names nobody", () => {
  expect(
    receive({ type: "text", text: "hi", context: "c", callbackUrl: "http://10.0.0.2:3847/agent/message" }),
  ).toEqual({
    id: "m1",
    type: "text",
    from: { id: "r2d2", name: "r2d2", team: "main" },
    to: {},
    content: "hi",
    context: "c",
    callbackUrl: "http://10.0.0.2:3847/agent/message",
    attention: "queue",
    at: Date.parse(head.timestamp),
    conversation: "r2d2:m1",
    hop: 0,
  });
});

test.each([
  ["bob", { name: "bob" }],
  ["red/bob", { team: "red", name: "bob" }],
])("to %s it is for that agent", (to, expected) => {
  expect(receive({ type: "text", text: "hi", to }).to).toEqual(expected);
});

test.each<[object, Typed]>([
  [
    { type: "status", status: "busy" },
    { kind: "status", status: "busy" },
  ],
  [
    { type: "coordination", action: "claim", task: "t" },
    { kind: "coordination", action: "claim", task: "t" },
  ],
  [
    { type: "pr-review", repo: "a/b", branch: "x", pr: 7 },
    { kind: "pr-review", repo: "a/b", branch: "x", pr: 7 },
  ],
  [
    { type: "pr-review", repo: "a/b", pr: "#7" },
    { kind: "pr-review", repo: "a/b", pr: 7 },
  ],
])("%j is read as what it says", (message, typed) => {
  expect(receive(message).typed).toEqual(typed);
});

test.each<Typed>([
  { kind: "status", status: "idle" },
  { kind: "coordination", action: "release", task: "t" },
  { kind: "pr-review", repo: "a/b", branch: "x", pr: 7 },
])("%j goes out in the words of document 004, and comes back the same", (typed) => {
  const sent = toAgentMessage({ ...linkMail("", "m1"), typed }, "r2d2");
  expect(sent.type).toBe(typed.kind);
  expect(receive(sent).typed).toEqual(typed);
});

test("types that document 004 does not have go as text", () => {
  const handoff = {
    ...linkMail("please go on", "m1"),
    type: "handoff",
    typed: { kind: "handoff", task: "t" },
  } as const;
  expect(toAgentMessage(handoff, "bmo")).toMatchObject({ type: "text", text: "please go on", from: "bmo" });
});

test("fields that another daemon adds do no harm", () => {
  expect(receive({ type: "text", text: "hi", priority: 9, metadata: { a: 1 } }).content).toBe("hi");
});
