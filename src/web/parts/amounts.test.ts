import { expect, test } from "vitest";
import { sayBytes, sayCount, sayDollars, sayRoughly } from "./amounts.js";

test("amounts are said in the unit that leaves few digits", () => {
  expect([0, 999, 2_100_000, 41_000_000, 412_000_000, 18_400_000_000].map(sayBytes)).toEqual([
    "0 B",
    "999 B",
    "2.1 MB",
    "41.0 MB",
    "412 MB",
    "18.4 GB",
  ]);
  expect(sayCount(48_391)).toBe("48\u202f391");
  expect([940, 12_400, 3_100_000].map(sayRoughly)).toEqual(["940", "12.4 k", "3.1 M"]);
});

test("what nobody told is a dash, and what was free is free", () => {
  expect([null, 0, 0.0412, 12.4].map(sayDollars)).toEqual(["–", "$0.00", "$0.0412", "$12.40"]);
});
