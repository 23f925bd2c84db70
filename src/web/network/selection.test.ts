import { expect, test } from "vitest";
import { moveSelection, type Selection } from "./selection.js";

const all: Selection[] = [
  { kind: "pair", key: "a b" },
  { kind: "pair", key: "b a" },
  { kind: "conversation", id: "c1" },
];

test("it moves through pairs and conversations, and stays at the ends", () => {
  expect(moveSelection(all, undefined, 1)).toBe(all[0]);
  expect(moveSelection(all, undefined, -1)).toBe(all[2]);
  expect(moveSelection(all, all[1], 1)).toBe(all[2]);
  expect(moveSelection(all, all[2], 1)).toBe(all[2]);
  expect(moveSelection(all, all[0], -1)).toBe(all[0]);
  expect(moveSelection([], undefined, 1)).toBeUndefined();
});

test("from what is no longer there it begins again", () => {
  expect(moveSelection(all, { kind: "pair", key: "x y" }, 1)).toBe(all[0]);
});
