import { expect, test } from "vitest";
import {
  sayAge,
  sayAgo,
  sayClock,
  sayClockMs,
  sayDay,
  sayElapsed,
  sayLength,
  sayOffset,
  sayWhen,
} from "./time.js";

const at = (...parts: [number, number, number, number?, number?, number?, number?]) =>
  new Date(...parts).getTime();

test("what goes on is told in minutes and seconds, and in hours after the first", () => {
  expect(sayElapsed(42_900)).toBe("0:42");
  expect(sayElapsed(68_000)).toBe("1:08");
  expect(sayElapsed(3_960_000)).toBe("1 h 06");
  expect(sayElapsed(-5)).toBe("0:00");
});

test("how long ago is told in one unit", () => {
  expect(sayAge(4_999)).toBe("4 s");
  expect(sayAge(6 * 60_000)).toBe("6 m");
  expect(sayAge(26 * 3_600_000)).toBe("1 d");
  expect(sayAgo(300)).toBe("now");
  expect(sayAgo(40_000)).toBe("40 s ago");
});

test("a length keeps tenths while it is short", () => {
  expect(sayLength(204)).toBe("0.2 s");
  expect(sayOffset(1_400)).toBe("+1.4 s");
  expect(sayOffset(38_000)).toBe("+38 s");
  expect(sayOffset(124_000)).toBe("+2 m 04 s");
  expect(sayLength(59_999)).toBe("1 m 00 s");
  expect(sayLength(3_960_000)).toBe("1 h 06 m");
});

test("clocks and days are local", () => {
  const then = at(2026, 2, 3, 14, 5, 7, 9);
  expect(sayClock(then)).toBe("14:05");
  expect(sayClockMs(then)).toBe("14:05:07.009");
  expect(sayDay(then, at(2026, 2, 3, 23))).toBe("Today");
  expect(sayDay(then, at(2026, 2, 4, 0, 1))).toBe("Yesterday");
  expect(sayDay(then, at(2026, 2, 9))).toBe("3 March");
  expect(sayDay(then, at(2027, 2, 9))).toBe("3 March 2026");
  expect(sayWhen(then, at(2026, 2, 9))).toBe("3 March, 14:05");
});
