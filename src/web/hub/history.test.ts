import { expect, test } from "vitest";
import {
  advanceHistory,
  type DeliveryChange,
  type DeliveryView,
  type History,
  type HistoryMessage,
  moveDelivery,
} from "./history.js";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();

function delivery(to = "bob"): DeliveryView {
  return {
    to,
    state: "accepted",
    at: at(0),
    evidence: null,
    reason: null,
    steps: [{ state: "accepted", at: at(0) }],
  };
}

function message(seq: number, deliveries = [delivery()]): HistoryMessage {
  return {
    id: `m${seq}`,
    seq,
    type: "message",
    from: "ann",
    to: "bob",
    content: "hello",
    timestamp: at(0),
    conversation: "c",
    hop: 0,
    attention: "queue",
    source: "agent",
    trust: "local",
    deliveries,
    recipients: deliveries.length,
  };
}

function history(...pages: number[][]): History {
  return {
    pages: pages.map((seqs, n) => ({
      messages: seqs.map((seq) => message(seq)),
      older: n === pages.length - 1 ? null : (seqs.at(-1) ?? null),
      newer: null,
      isPartial: false,
    })),
    pageParams: pages.map(() => undefined),
  };
}

const seqs = ({ pages }: History) => pages.map(({ messages }) => messages.map(({ seq }) => seq));
const none = new Map<number, DeliveryChange[]>();

test("what was accepted stands first, once, and newest first", () => {
  const grown = advanceHistory(history([3, 2], [1]), [message(3), message(4), message(5)], none);
  expect(seqs(grown)).toEqual([[5, 4, 3, 2], [1]]);
});

test("a history whose newest end is not loaded does not grow", () => {
  const before = history([3, 2]);
  const inside = { ...before, pages: before.pages.map((page) => ({ ...page, newer: 3 })) };
  expect(advanceHistory(inside, [message(9)], none)).toBe(inside);
});

test("a step changes its own message and leaves the other objects alone", () => {
  const before = history([3, 2], [1]);
  const step = { state: "seen" as const, at: at(2), evidence: "output" };
  const after = advanceHistory(before, [], new Map([[2, [{ to: "bob", state: "seen" as const, step }]]]));

  expect(after.pages[0]?.messages[1]?.deliveries[0]).toMatchObject({
    state: "seen",
    at: at(2),
    evidence: "output",
  });
  expect(after.pages[0]?.messages[0]).toBe(before.pages[0]?.messages[0]);
  expect(after.pages[1]).toBe(before.pages[1]);
});

test("of a message to many only the delivery of that recipient moves", () => {
  const before: History = {
    pages: [
      {
        messages: [message(1, [delivery("bob"), delivery("eve")])],
        older: null,
        newer: null,
        isPartial: false,
      },
    ],
    pageParams: [undefined],
  };
  const step = { state: "failed" as const, at: at(1), reason: "died" };
  const after = advanceHistory(before, [], new Map([[1, [{ to: "eve", state: "failed" as const, step }]]]));
  expect(after.pages[0]?.messages[0]?.deliveries.map(({ state }) => state)).toEqual(["accepted", "failed"]);
});

test("a step that was fetched already is not taken twice", () => {
  const step = { state: "offered" as const, at: at(1), route: "inbox", attempt: 1 };
  const once = moveDelivery(delivery(), { state: "offered", step });
  expect(moveDelivery(once, { state: "offered", step })).toBe(once);
});

test("answered outranks the rungs below it, also those that come later", () => {
  const answered = moveDelivery(delivery(), {
    state: "answered",
    step: { state: "answered", at: at(1), by: "m2" },
  });
  const later = moveDelivery(answered, { state: "finished", step: { state: "finished", at: at(2) } });
  expect(later).toMatchObject({ state: "answered", at: at(1) });
  expect(later.steps).toHaveLength(3);
});

test("memory stays flat over ten thousand messages, and what was let go can be fetched again", () => {
  let grown = history([10, 9], [8, 7]);
  for (let seq = 11; seq <= 10_010; seq += 50) {
    const batch = Array.from({ length: 50 }, (_, n) => message(seq + n));
    grown = advanceHistory(grown, batch, none);
  }
  const kept = seqs(grown).flat();
  expect(kept.length).toBeLessThanOrEqual(1500);
  expect(kept[0]).toBe(10_010);
  expect(kept).toEqual([...kept].sort((a, b) => b - a));
  expect(grown.pages.at(-1)?.older).toBe(kept.at(-1));
  expect(grown.pageParams).toHaveLength(grown.pages.length);
});
