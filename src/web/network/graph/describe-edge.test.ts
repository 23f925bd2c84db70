import { expect, test } from "vitest";
import type { Pair } from "../use-network.js";
import { describeEdge } from "./describe-edge.js";

const at = Date.parse("2026-03-02T12:00:00.000Z");
const calm = { isPingPong: false, ring: "none" as const, at };
const pair = (more: Partial<Pair> = {}): Pair => ({
  from: "ann",
  to: "ben",
  per_minute: 3,
  minutes: [0, 0, 0, 0, 0, 3, 3, 3, 3, 3],
  sent_last_minute: 3,
  cap: 10,
  level: 0,
  next_ms: 0,
  paused: false,
  held: 0,
  held_for: [],
  last: "2026-03-02T11:52:00.000Z",
  message: "m1",
  conversation: "c1",
  ...more,
});

test("a line is wider the more is written, up to a limit", () => {
  expect(describeEdge(pair(), calm)).toMatchObject({
    width: 3,
    tone: "plain",
    dash: "none",
    label: "3/min",
  });
  expect(describeEdge(pair({ per_minute: 100 }), calm).width).toBe(7);
});

test("near its cap, or in a cooldown, it says how much of the minute is used", () => {
  const look = { tone: "amber", dash: "none", label: "8/min · 8/10 cap", isLoud: true };
  expect(describeEdge(pair({ per_minute: 8, sent_last_minute: 8 }), calm)).toMatchObject(look);
  expect(describeEdge(pair({ next_ms: 4000 }), calm).label).toBe("3/min · 3/10 cap");
});

test("what is held is dashed in amber; what only waits for its reader, and what is silent, in dots", () => {
  const held_for = [{ reason: "budget" as const, messages: 2 }];
  expect(describeEdge(pair({ held: 2, held_for }), calm)).toMatchObject({ dash: "held", label: "2 held" });
  const away = [{ reason: "away" as const, messages: 2 }];
  expect(describeEdge(pair({ held: 2, held_for: away }), calm)).toMatchObject({
    tone: "plain",
    dash: "silent",
    label: "2 wait",
  });
  const minutes = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  expect(describeEdge(pair({ minutes, per_minute: 0 }), calm)).toMatchObject({
    dash: "silent",
    label: "silent 8 m",
  });
});

test("a paused pair says so before all else, and a ring has its words elsewhere", () => {
  expect(describeEdge(pair({ paused: true, held: 1 }), calm)).toMatchObject({ label: "paused · 1 held" });
  expect(describeEdge(pair(), { ...calm, ring: "paused" })).toMatchObject({ dash: "held", label: undefined });
});
