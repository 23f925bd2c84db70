import { expect, test } from "vitest";
import { escapeShown, hasUnsafe, looksLikeOther, splitUnsafe } from "./split-unsafe.js";

test("what turns the direction is shown", () => {
  expect(escapeShown("rm \u202egpj.exe")).toBe("rm \\u{202e}gpj.exe");
  expect(splitUnsafe("a\u200bb")).toEqual([
    { kind: "text", text: "a" },
    { kind: "escape", text: "\\u{200b}", title: "zero-width space" },
    { kind: "text", text: "b" },
  ]);
});

test("controls and invisible tags are shown, line breaks and tabs are not", () => {
  expect(escapeShown("a\u001b[31mb\u{e0041}")).toBe("a\\u{1b}[31mb\\u{e0041}");
  expect(hasUnsafe("one\n\ttwo")).toBe(false);
});

test("a joiner is left alone inside an emoji only", () => {
  expect(hasUnsafe("👩‍💻 👨🏽‍💻 👁️‍🗨️")).toBe(false);
  expect(escapeShown("ad\u200dmin")).toBe("ad\\u{200d}min");
});

test("other languages are not escaped", () => {
  expect(hasUnsafe("Grüße, 你好, שלום, مرحبا, می\u200cخواهم, हिन्दी, क्\u200dष")).toBe(false);
});

test("a name that could be taken for another is told", () => {
  expect(looksLikeOther("rev1ewer", ["ann", "reviewer"])).toBe("reviewer");
  expect(looksLikeOther("re-viewer", ["ann", "reviewer"])).toBe("reviewer");
  expect(looksLikeOther("dev-2", ["dev-6", "dev-8"])).toBeUndefined();
  expect(looksLikeOther("ann", ["ann"])).toBeUndefined();
});
