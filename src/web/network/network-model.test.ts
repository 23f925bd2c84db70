import { expect, test } from "vitest";
import { barScale, describeFlow, findPingPongs, findRings, keepOrder, pairsOfRing } from "./network-model.js";
import { isNearCap } from "./pair.js";
import type { Conversation, Pair } from "./use-network.js";

const pair = (from: string, to: string, more: Partial<Pair> = {}): Pair => ({
  from,
  to,
  per_minute: 0,
  minutes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  sent_last_minute: 0,
  cap: 10,
  level: 0,
  next_ms: 0,
  paused: false,
  held: 0,
  held_for: [],
  last: null,
  message: null,
  conversation: null,
  ...more,
});

const talk = (more: Partial<Conversation>): Conversation => ({
  id: "c1",
  state: "open",
  hop: 3,
  hops: 3,
  hops_most: 24,
  messages: 3,
  messages_most: 100,
  held: 0,
  participants: [],
  first: null,
  last: null,
  ...more,
});

test("rows keep their order whatever comes, new ones stand last, and those that go leave the others in place", () => {
  const first = keepOrder([], ["b c", "c d"]);
  const second = keepOrder(first, ["a b", "b c", "c d"]);
  expect(second).toEqual(["b c", "c d", "a b"]);
  expect(keepOrder(second, ["a b", "c d", "b c"])).toBe(second);
  expect(keepOrder(second, ["a b", "c d"])).toEqual(["c d", "a b"]);
});

test("the flow counts what agents write to each other, not the person's, and tells when it was most", () => {
  const minutes = [0, 0, 0, 0, 0, 0, 0, 5, 10, 5];
  const flow = describeFlow([
    pair("ann", "ben", { minutes }),
    pair("ben", "ann", { minutes }),
    pair("user", "ann", { minutes: minutes.map(() => 100) }),
  ]);
  expect(flow).toEqual({ perMinute: 8, peak: 20, peakMinutesAgo: 1 });
  expect(describeFlow([])).toMatchObject({ perMinute: 0, peak: 0 });
});

test("both directions of a ping-pong are found; the person is never in one", () => {
  const minutes = [0, 0, 0, 0, 0, 0, 1, 4, 5, 4];
  const pairs = [
    pair("ann", "ben", { minutes }),
    pair("ben", "ann", { minutes }),
    pair("user", "ann", { minutes }),
    pair("ann", "user", { minutes }),
  ];
  expect([...findPingPongs(pairs)]).toEqual([
    ["ann ben", { messages: 28, minutes: 4 }],
    ["ben ann", { messages: 28, minutes: 4 }],
  ]);
});

test("a ring stands out when its conversation waits, or has used three quarters of its budget", () => {
  const pairs = [pair("a", "b"), pair("b", "c"), pair("c", "a"), pair("a", "d")];
  const participants = ["user", "a", "b", "c"];
  const [paused] = findRings([talk({ state: "paused", participants, held: 3, hops: 25 })], pairs);
  expect(paused).toMatchObject({ names: ["a", "b", "c"], isPaused: true, held: 3, budget: "24 of 24 hops" });
  expect(paused === undefined ? [] : pairsOfRing(paused)).toEqual(["a b", "b c", "c a"]);
  expect(findRings([talk({ participants, hops: 17 })], pairs)).toEqual([]);
  expect(findRings([talk({ participants, hops: 18 })], pairs)).toMatchObject([{ isPaused: false }]);
  expect(findRings([talk({ participants: ["a", "d"], hops: 20 })], pairs)).toEqual([]);
});

test("a pair is near its cap from seven of ten on, and one without a cap never", () => {
  expect(isNearCap({ cap: 10, sent_last_minute: 7 })).toBe(true);
  expect(isNearCap({ cap: 10, sent_last_minute: 6 })).toBe(false);
  expect(isNearCap({ cap: null, sent_last_minute: 70 })).toBe(false);
});

test("the scale of the bars changes in steps only", () => {
  expect(barScale([])).toBe(8);
  expect(barScale([pair("a", "b", { minutes: [9] })])).toBe(16);
  expect(barScale([pair("a", "b", { minutes: [16] })])).toBe(16);
});
