import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { indentText, wrapText } from "./wrap-text.js";

test.each([
  ["short", 10, "short"],
  ["one two three four", 10, "one two\nthree four"],
  ["a\n\nb", 10, "a\n\nb"],
  ["  kept  in  front", 10, "  kept  in\nfront"],
  ["averyverylongword", 10, "averyveryl\nongword"],
  ["日本語の文は長い", 10, "日本語の文\nは長い"],
])("%j in %i columns is %j", (text, width, wrapped) => {
  expect(wrapText(text, width)).toBe(wrapped);
});

test("a program gets the lines as they are", () => {
  const line = "word ".repeat(100);
  expect(wrapText(line, undefined)).toBe(line);
});

test("the indent counts", () => {
  expect(indentText("one two three", 10)).toBe("  one two\n  three");
});

test("no line is wider than asked for, and no word is lost", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 10, max: 80 }), (words, width) => {
      const text = words.map((word) => word.replace(/\s/g, "")).join(" ");
      const wrapped = wrapText(text, width);
      for (const line of wrapped.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(wrapped.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }),
  );
});
