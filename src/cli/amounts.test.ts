import { expect, test } from "vitest";
import { formatSpan, parseDuration, relativeTime } from "./amounts.js";

test.each([
  ["10m", 600_000],
  ["500ms", 500],
  ["1.5h", 5_400_000],
  ["60", 60_000],
  ["7d", 604_800_000],
])("%s is %i ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "0", "-5", "ten", "5 apples", "1e3", "Infinity", `${"9".repeat(30)}d`])(
  "%j is no duration",
  (text) => {
    expect(() => parseDuration(text)).toThrow("Give a time");
  },
);

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

test.each([
  [0, "just now"],
  [-5 * SECOND, "just now"],
  [12.9 * SECOND, "12s ago"],
  [60 * SECOND, "1m ago"],
  [HOUR - 1, "59m ago"],
  [23.5 * HOUR, "23h ago"],
  [50 * HOUR, "2d ago"],
])("%i ms ago is %s", (age, shown) => {
  const now = Date.UTC(2026, 0, 1);
  expect(relativeTime(now - age, now)).toBe(shown);
});

test("a time that is none is not an age", () => {
  expect(relativeTime(Date.parse("nonsense"), 0)).toBe("?");
});

test.each([
  [0, "0s"],
  [59_999, "59s"],
  [61 * SECOND, "1m 1s"],
  [2 * HOUR + 59 * SECOND, "2h 0m"],
  [76 * HOUR, "3d 4h"],
])("a span of %i ms is %s", (ms, shown) => {
  expect(formatSpan(ms)).toBe(shown);
});
