import { expect, test } from "vitest";
import type { DeliveryView } from "../hub/history.js";
import { describeState } from "./describe-state.js";
import type { LogRow } from "./log-rows.js";

const at = "2026-03-10T12:00:00.000Z";

const delivery = (state: DeliveryView["state"], more: Partial<DeliveryView> = {}): DeliveryView => ({
  to: "ben",
  state,
  at,
  evidence: null,
  reason: null,
  steps: [{ state: "accepted", at }],
  ...more,
});

const row = (...deliveries: DeliveryView[]): LogRow => ({
  kind: "message",
  seq: 1,
  message: {
    id: "m",
    seq: 1,
    type: "message",
    from: "ann",
    to: "ben",
    content: "",
    timestamp: at,
    conversation: "c",
    hop: 0,
    attention: "queue",
    source: "agent",
    trust: "local",
    deliveries,
    recipients: deliveries.length,
  },
});
const said = (...deliveries: DeliveryView[]) => {
  const { word, about, tone } = describeState(row(...deliveries));
  return `${word} ${about} ${tone}`;
};

test("only what was answered is green; what is held says why", () => {
  expect(said(delivery("answered"))).toBe("answered  green");
  expect(said(delivery("finished"))).toBe("finished  plain");
  expect(said(delivery("held", { reason: "cooldown" }))).toBe("held cooldown amber");
  expect(said(delivery("held", { reason: '"ben" is offline: not heard of' }))).toBe("held offline amber");
  expect(said(delivery("failed", { reason: "not_started" }))).toBe("failed not started red");
});

test("what came long after it was sent is late", () => {
  const steps = [
    { state: "accepted" as const, at },
    { state: "seen" as const, at: "2026-03-10T12:15:00.000Z" },
  ];
  expect(said(delivery("seen", { steps }))).toBe("seen late 15 m plain");
});

test("of what went to many the worst is told, else how many saw it", () => {
  expect(said(delivery("seen"), delivery("failed"), delivery("held"))).toBe("failed 1 of 3 red");
  expect(said(delivery("seen"), delivery("held"))).toBe("held 1 of 2 amber");
  expect(said(delivery("seen"), delivery("accepted"))).toBe("seen 1 of 2 plain");
});

test("a turn that came to its own end has ended, any other was cut", () => {
  const turn = {
    agent: "ann",
    id: "a",
    turn: "t",
    seq: 1,
    started: at,
    ended: at,
    messages: [],
    excerpt: "",
  };
  expect(describeState({ kind: "turn", seq: 1, turn: { ...turn, stop: "end_turn" } }).word).toBe("ended");
  expect(describeState({ kind: "turn", seq: 1, turn: { ...turn, stop: "max_tokens" } })).toMatchObject({
    word: "cut",
    about: "max tokens",
  });
});
