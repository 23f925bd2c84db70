import { expect, test } from "vitest";
import { countNew, hasShifted, isAtEnd } from "./end-follower.js";

test("within 48 pixels of the end it is at the end", () => {
  expect(isAtEnd({ offset: 552, size: 1000, viewport: 400 })).toBe(true);
  expect(isAtEnd({ offset: 551, size: 1000, viewport: 400 })).toBe(false);
});

test("what came after the last that was read is new", () => {
  expect(countNew(["a", "b", "c", "d"], "b")).toBe(2);
  expect(countNew(["a", "b"], undefined)).toBe(0);
  expect(countNew(["c"], "gone")).toBe(0);
});

test("rows that come or go at the beginning are no new ones", () => {
  expect(hasShifted(["b", "c"], ["a", "b", "c"])).toBe(true);
  expect(hasShifted(["a", "b", "c"], ["b", "c", "d"])).toBe(true);
  expect(hasShifted(["a", "b"], ["a", "b", "c"])).toBe(false);
  expect(hasShifted([], ["a"])).toBe(false);
});
