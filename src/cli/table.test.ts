import { expect, test } from "vitest";
import { renderTable, shorten } from "./table.js";

test("columns align by what a terminal shows, and lines do not end in spaces", () => {
  const text = renderTable(
    ["NAME", "PROJECT", "LAST"],
    [
      ["a", "/日本", "now"],
      ["longer", "–", ""],
    ],
    undefined,
  );
  expect(text).toBe(["NAME    PROJECT  LAST", "a       /日本    now", "longer  –"].join("\n"));
});

test("paint does not count as width", () => {
  const red = (text: string) => `\x1b[31m${text}\x1b[39m`;
  expect(
    renderTable(
      undefined,
      [
        [{ text: "a", paint: red }, "x"],
        ["bb", "y"],
      ],
      undefined,
    ),
  ).toBe("\x1b[31ma\x1b[39m   x\nbb  y");
});

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
