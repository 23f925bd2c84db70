import { expect, test } from "vitest";
import { countLines, diffTexts, readUnified } from "./diff-lines.js";

const show = (lines: ReturnType<typeof diffTexts>) =>
  lines.map(
    ({ kind, text, was, is }) =>
      `${was ?? ""}|${is ?? ""}|${{ same: " ", old: "-", new: "+", gap: "~" }[kind]}${text}`,
  );

test("changed lines are told from those that stay, with their numbers in the file", () => {
  const lines = diffTexts("a\nb\nc\n", "a\nB\nc\nd\n", 41);

  expect(show(lines)).toEqual(["41|41| a", "42||-b", "|42|+B", "43|43| c", "|44|+d"]);
  expect(countLines(lines)).toEqual({ added: 2, removed: 1 });
});

test("a fragment whose place is unknown has no numbers", () => {
  expect(show(diffTexts("a\n", "b\n"))).toEqual(["||-a", "||+b"]);
});

test("only what stays is folded, and it says how long it is", () => {
  const before = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const after = before.with(20, "changed");

  const lines = diffTexts(before.join("\n"), after.join("\n"), 1);

  expect(lines.at(0)).toEqual({ kind: "gap", text: "17 unchanged lines" });
  expect(lines.at(-1)).toEqual({ kind: "gap", text: "16 unchanged lines" });
  expect(lines.filter(({ kind }) => kind === "old" || kind === "new").map(({ text }) => text)).toEqual([
    "line 20",
    "changed",
  ]);
});

test("a change too large to be compared is shown all the same, whole", () => {
  const before = Array.from({ length: 3000 }, (_, at) => `old ${at}`).join("\n");
  const after = Array.from({ length: 3000 }, (_, at) => `new ${at}`).join("\n");

  expect(countLines(diffTexts(before, after))).toEqual({ added: 3000, removed: 3000 });
});

test("a unified diff is read with its numbers, and what is no hunk stays as it is", () => {
  const lines = readUnified("--- a\n+++ b\n@@ -3,2 +3,3 @@ here\n x\n-y\n+z\n+-- not a head\n");

  expect(show(lines)).toEqual([
    "||~--- a",
    "||~+++ b",
    "||~@@ -3,2 +3,3 @@ here",
    "3|3| x",
    "4||-y",
    "|4|+z",
    "|5|+-- not a head",
  ]);
});
