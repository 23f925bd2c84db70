import { expect, test } from "vitest";
import { diffLines } from "./text-diff.js";

test("a diff has the lines that go and come, and two around them", () => {
  expect(diffLines("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nx\n5\n6\n7\n")).toEqual([
    "  2",
    "  3",
    "- 4",
    "+ x",
    "  5",
    "  6",
  ]);
});

test("long stretches between two changes are left out", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
  const diff = diffLines(lines.join("\n"), ["new", ...lines, "end"].join("\n"));
  expect(diff).toEqual(["+ new", "  line 0", "  line 1", "  …", "  line 18", "  line 19", "+ end"]);
});

test("equal texts have none, and line ends are no difference", () => {
  expect(diffLines("a\nb\n", "a\r\nb")).toEqual([]);
  expect(diffLines("", "a\n")).toEqual(["+ a"]);
});
