import { expect, test } from "vitest";
import { displayWidth, shorten } from "./display-width.js";

test.each([
  ["abc", 3],
  ["äöü", 3],
  ["e\u0301", 1],
  ["日本", 4],
  ["한글", 4],
  ["👩‍👧", 2],
  ["● busy", 6],
  ["⏳", 2],
  ["", 0],
])("%j takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["a longer text", 9, "a longer…"],
  ["日本語の文", 6, "日本…"],
])("%j in %i columns is %j", (text, width, shortened) => {
  expect(shorten(text, width)).toBe(shortened);
});
