import { expect, test } from "vitest";
import { shorten } from "./shorten.js";

test.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["a longer text", 9, "a longer…"],
  ["日本語の文", 6, "日本…"],
  ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"],
  ["👩‍👧👩‍👧", 3, "👩‍👧…"],
])("%j in %i columns is %j", (text, width, shortened) => {
  expect(shorten(text, width)).toBe(shortened);
});
