import { expect, test } from "vitest";
import { findRing } from "./find-ring.js";

const ways = (all: Record<string, readonly string[]>) => (name: string) => all[name] ?? [];

test("three who write to each other in turn are a ring, in the order of the way", () => {
  const follows = ways({ cat: ["rex"], rex: ["dot", "ann"], dot: ["cat"], ann: ["cat"] });
  expect(findRing(["cat", "dot", "rex"], follows)).toEqual(["cat", "rex", "dot"]);
});

test("two are none, nor is a way that does not come back", () => {
  expect(findRing(["a", "b", "c"], ways({ a: ["b"], b: ["a", "c"] }))).toBeUndefined();
});

test("the longest counts, and whoever takes no part is passed by", () => {
  const follows = ways({ a: ["b"], b: ["c", "x"], c: ["a", "d"], d: ["a"], x: ["a"] });
  expect(findRing(["a", "b", "c", "d"], follows)).toEqual(["a", "b", "c", "d"]);
});

test("in a crowd where everybody writes to everybody it does not take forever", () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
  expect(findRing(names, () => names)?.length).toBeGreaterThanOrEqual(3);
});
