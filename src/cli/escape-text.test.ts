import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { escapeBlock, escapeDecision, escapeJson, escapeLine } from "./escape-text.js";

test.each([
  ["\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"],
  ["\x1b]0;title\x07", "\\x1b]0;title\\x07"],
  ["\x1b]52;c;aGk=\x1b\\", "\\x1b]52;c;aGk=\\x1b\\"],
  ["\u009b2J", "\\x9b2J"],
  ["a\rb\nc\td\x00\x7f", "a\\rb\\nc\\td\\x00\\x7f"],
  ["abc\u202edef\u2066", "abc\\u202edef\\u2066"],
  ["a\u2028b\u{e0041}c", "a\\u2028b\\u{e0041}c"],
  ["plain: äöü 日本 👩‍👧 ✓ \\x1b", "plain: äöü 日本 👩‍👧 ✓ \\x1b"],
])("on one line %j is shown as %s", (text, shown) => {
  expect(escapeLine(text)).toBe(shown);
});

test("in a block line breaks stay and tabs become spaces", () => {
  expect(escapeBlock("a\r\n\tb\rc\n\x1b[2J")).toBe("a\n    b\\rc\n\\x1b[2J");
});

test("in what is decided upon nothing is unseen, nor passes for a space", () => {
  expect(escapeDecision("rm\u00a0-rf \u200b/\u2060 ok\nnext")).toBe("rm\\xa0-rf \\u200b/\\u2060 ok\nnext");
});

const harmful = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const anyText = fc.string({ unit: "binary" });

test("nothing that a terminal obeys is left, whatever the text", () => {
  checkProperty(
    fc.property(anyText, (text) => {
      expect(escapeLine(text)).not.toMatch(harmful);
      expect(escapeBlock(text).replaceAll("\n", "")).not.toMatch(harmful);
      expect(escapeJson({ text })).not.toMatch(harmful);
    }),
  );
});

test("escaped JSON reads back as what it was", () => {
  checkProperty(
    fc.property(fc.anything({ withBigInt: false, key: anyText }), (value) => {
      const document = [value];
      expect(JSON.parse(escapeJson(document))).toEqual(JSON.parse(JSON.stringify(document)));
    }),
  );
  expect(JSON.parse(escapeJson("\u{e0041}\u202e\u009b"))).toBe("\u{e0041}\u202e\u009b");
});
