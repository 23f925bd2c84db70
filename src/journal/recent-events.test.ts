import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { type HubEvent, newEvent } from "../model/events.js";
import { createRecentEvents } from "./recent-events.js";

const happened = (seq: number): HubEvent => ({
  ...newEvent("NameReleased", null, { name: `n${seq}`, agent: "a" }),
  seq,
  at: 0,
  hubTime: 0,
});
const numbers = (events: readonly HubEvent[] | undefined) => events?.map(({ seq }) => seq);

test("what is still kept is given from any place in it, gaps included", () => {
  const recent = createRecentEvents({ events: 100, bytes: 1e6 });
  recent.add([3, 4, 7, 8, 12].map(happened));
  for (const [after, expected] of [
    [2, [3, 4, 7]],
    [3, [4, 7, 8]],
    [4, [7, 8, 12]],
    [5, [7, 8, 12]],
    [7, [8, 12]],
    [11, [12]],
    [12, []],
    [99, []],
  ] as const) {
    expect(numbers(recent.pageAfter(after, 3))).toEqual(expected);
  }
});

test("what reaches back further is left to the journal", () => {
  const recent = createRecentEvents({ events: 4, bytes: 1e6 });
  expect(recent.pageAfter(0, 10)).toBeUndefined();
  recent.add([1, 2, 3, 4, 5].map(happened));
  expect(recent.pageAfter(0, 10)).toBeUndefined();
  expect(numbers(recent.pageAfter(3, 10))).toEqual([4, 5]);
  recent.clear();
  expect(recent.pageAfter(5, 10)).toBeUndefined();
});

test("a page ends at its bytes, with one event at least", () => {
  const recent = createRecentEvents({ events: 100, bytes: 1e6 });
  recent.add([1, 2, 3].map(happened));
  expect(numbers(recent.pageAfter(0, 10, 1))).toEqual([1]);
  expect(numbers(recent.pageAfter(0, 10, 700))).toEqual([1, 2]);
});

test("a message is large by its content or its context", () => {
  const recent = createRecentEvents({ events: 100, bytes: 1e6 });
  const message = (seq: number, texts: { content: string; context?: string }): HubEvent => ({
    ...newEvent("MessageAccepted", null, {
      message: {
        id: `m${seq}`,
        type: "message",
        from: "a",
        fromName: "a",
        to: [{ agent: "b", name: "b" }],
        toName: "b",
        attention: "queue",
        source: "agent",
        trust: "local",
        conversation: "c",
        hop: 0,
        ...texts,
      },
    }),
    seq,
    at: 0,
    hubTime: 0,
  });
  const large = "x".repeat(10_000);

  recent.add([message(1, { content: "hi" }), message(2, { content: "hi", context: "short" })]);
  expect(numbers(recent.pageAfter(0, 10))).toEqual([1, 2]);
  recent.add([message(3, { content: "hi", context: large })]);
  expect(recent.pageAfter(0, 10)).toBeUndefined();
  recent.add([message(4, { content: "hi" }), message(5, { content: large })]);
  expect(recent.pageAfter(3, 10)).toBeUndefined();
});

test("a follower is given the same events whether they are remembered or read", async () => {
  const hub = openTestHub();
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  for (let i = 0; i < 5; i++) await hub.send(a, b, `text ${i}`);
  const remembered = hub.events.pageAfter(0, 100);
  const again = await hub.restart();
  expect(again.events.pageAfter(0, 100)).toEqual(remembered);
});

test("a large message is read from the disk, and so is what came before it", async () => {
  const hub = openTestHub();
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  await hub.send(a, b, "small");
  const large = await hub.send(a, b, "x".repeat(100_000));
  await hub.send(a, b, "after");
  const all = hub.events.pageAfter(0, 100);
  expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(hub.events.pageAfter(large.seq - 1, 1)).toEqual([all[5]]);
  expect(hub.events.pageAfter(large.seq, 1)).toEqual([all[6]]);
});
