import { expect, test } from "vitest";
import { foldContent } from "./fold-content.js";

test("forty lines are shown whole, one more is folded", () => {
  expect(foldContent(`${"x\n".repeat(39)}x`).more).toBeUndefined();
  const { shown, more } = foldContent(`${"x\n".repeat(111)}x`);
  expect(more).toBe("show 112 lines");
  expect(shown.split("\n")).toHaveLength(40);
});

test("one giant line is folded too", () => {
  const { shown, more } = foldContent("x".repeat(50_000));
  expect(shown.length).toBeLessThan(10_000);
  expect(more).toBe("show all 50 KB");
});
