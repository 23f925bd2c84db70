import { expect, test } from "vitest";
import { renderTable } from "./table.js";

test("columns align by what a terminal shows, and lines do not end in spaces", () => {
  const text = renderTable(
    ["NAME", "PROJECT", "LAST"],
    [
      ["a", "/日本", "now"],
      ["longer", "–", ""],
    ],
  );
  expect(text).toBe(["NAME    PROJECT  LAST", "a       /日本    now", "longer  –"].join("\n"));
});

test("paint does not count as width", () => {
  const red = (text: string) => `\x1b[31m${text}\x1b[39m`;
  expect(
    renderTable(undefined, [
      [{ text: "a", paint: red }, "x"],
      ["bb", "y"],
    ]),
  ).toBe("\x1b[31ma\x1b[39m   x\nbb  y");
});
