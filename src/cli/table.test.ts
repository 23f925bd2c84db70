import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { renderNotedTable, renderTable, shorten } from "./table.js";

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

test("on a narrow terminal the longest texts are cut first", () => {
  const rows = [
    ["ann", "busy", "a long text about what it does just now"],
    ["ben", "idle", "–"],
  ];
  expect(renderTable(["NAME", "STATUS", "ON"], rows, 30)).toBe(
    ["NAME  STATUS  ON", "ann   busy    a long text abo…", "ben   idle    –"].join("\n"),
  );
});

test("what must be read whole stands below its row where it has no room", () => {
  const rows = [["port", "9223", "The port that the hub listens on"]];
  expect(renderNotedTable(["KEY", "VALUE", "WHAT"], rows, 60)).toBe(
    "KEY   VALUE  WHAT\nport  9223   The port that the hub listens on",
  );
  expect(renderNotedTable(["KEY", "VALUE", "WHAT"], rows, 24)).toBe(
    "KEY   VALUE\nport  9223\n    The port that the\n    hub listens on",
  );
});

test("no line of any table is wider than the terminal", () => {
  const cell = fc.string({ maxLength: 40 }).map((text) => text.replace(/\s/g, "_"));
  const table = fc
    .integer({ min: 1, max: 8 })
    .chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
    );
  fc.assert(
    fc.property(table, fc.integer({ min: 40, max: 120 }), (rows, width) => {
      for (const line of renderTable(undefined, rows, width).split("\n"))
        expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});
