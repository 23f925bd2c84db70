import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { formatDuration, parseDuration } from "./duration.js";

test.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["15m", 900_000],
  ["24h", 86_400_000],
  ["1d", 86_400_000],
  ["1.5h", 5_400_000],
  ["2 s", 2000],
  ["0s", 0],
])("%s is %d milliseconds", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  "30",
  "",
  "s",
  "-1s",
  "1w",
  "1S",
  "1h30m",
  "1e3s",
  "0.0001s",
  "99999999999999999d",
  " 1s",
  "1s\n",
  "٣s",
])("%j is not a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test("what is written is read back", () => {
  checkProperty(
    fc.property(fc.nat({ max: 1e12 }), (milliseconds) => {
      expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
    }),
  );
});

test("a duration is written in its largest whole unit", () => {
  expect([0, 5, 1500, 30_000, 5_400_000, 86_400_000].map(formatDuration)).toEqual([
    "0s",
    "5ms",
    "1500ms",
    "30s",
    "90m",
    "1d",
  ]);
});
