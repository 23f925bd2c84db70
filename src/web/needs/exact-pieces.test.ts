import fc from "fast-check";
import { expect, test } from "vitest";
import { exactPieces, sayExtent } from "./exact-pieces.js";

const show = (text: string, markForeign = false) =>
  exactPieces(text, { markForeign })
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.text}]`))
    .join("");

test.each([
  ["plain $HOME 'x'\n\tand more", "plain $HOME 'x'\n\tand more"],
  ["\u001b[31mred\u001b[0m", "[\\x1b][31mred[\\x1b][0m"],
  ["a\rb", "a[\\x0d]b"],
  ["rm \u202ecod.txt", "rm [\\u202e]cod.txt"],
  ["a\u200bb\u2060c\u00a0d\u2800e", "a[\\u200b]b[\\u2060]c[\\xa0]d[\\u2800]e"],
  ["x\u{e0041}y", "x[\\u{e0041}]y"],
  ["e\u0301\u0301\u0301", "e\u0301\u0301[\\u0301]"],
  [`echo${" ".repeat(9000)}; rm`, "echo[9,000 spaces]; rm"],
  ["a\n\n\n\n\n\n\n\nb", "a\n[7 empty lines\n]b"],
  ["日本 ünï", "日本 ünï"],
])("%j is shown as %s", (text, shown) => {
  expect(show(text)).toBe(shown);
});

test("in a command each letter that may only look like another is marked", () => {
  expect(exactPieces("сurl x", { markForeign: true })).toEqual([
    { kind: "foreign", text: "с", title: expect.stringContaining("U+0441") as string },
    { kind: "text", text: "url x" },
  ]);
});

test("whatever the text, nothing unseen is left in it, and nothing that is seen is missing", () => {
  const unseen = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const pieces = exactPieces(text);
      const plain = pieces.flatMap((piece) => (piece.kind === "text" ? piece.text : [])).join("");
      expect(plain).not.toMatch(unseen);
      const inked = (words: string) => words.replace(/[^\x21-\x7e]/gu, "");
      expect(inked(plain)).toBe(inked(text));
    }),
  );
});

test("how much there is of it is said where it is not seen at a glance", () => {
  expect(sayExtent("npm test")).toBeUndefined();
  expect(sayExtent("x".repeat(2431))).toBe("2,431 characters");
  expect(sayExtent("x\n".repeat(39))).toBe("78 characters, 40 lines");
});
