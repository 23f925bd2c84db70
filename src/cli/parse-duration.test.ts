import { expect, test } from "vitest";
import { parseDuration } from "./parse-duration.js";

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
