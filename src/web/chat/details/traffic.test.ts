import { expect, test } from "vitest";
import type { Pair } from "../../network/use-network.js";
import { sayTraffic, trafficOf } from "./traffic.js";

const pair = (from: string, to: string, per_minute: number, more: Partial<Pair> = {}): Pair => ({
  from,
  to,
  per_minute,
  minutes: [],
  sent_last_minute: 2,
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

test("an agent's traffic is what it writes and gets, most first, without the person's", () => {
  const pairs = [pair("ann", "ben", 1), pair("ben", "cat", 9), pair("cat", "ann", 3), pair("user", "ann", 5)];
  expect(trafficOf("ann", pairs).map(({ direction, peer }) => `${direction} ${peer}`)).toEqual([
    "from cat",
    "to ben",
  ]);
});

test("a row says how fast, how much of the cap is used, and what is held", () => {
  expect(sayTraffic(pair("ann", "ben", 2.4))).toBe("2/min · 2/10");
  expect(sayTraffic(pair("ann", "ben", 0.2, { cap: null, held: 3, paused: true }))).toBe(
    "0.2/min · 3 held · paused",
  );
});
