import { expect, test } from "vitest";
import { nearest } from "./nearest.js";

const names = ["alice", "bob", "reviewer", "frontend", "frontend-2"];

test.each([
  ["alcie", "alice", "a swap of neighbours"],
  ["alic", "alice", "a letter left out"],
  ["alicce", "alice", "a letter too many"],
  ["alise", "alice", "another letter"],
  ["rob", "bob", "one of three letters"],
  ["fronted", "frontend", "the nearer of two"],
  ["frontend2", "frontend", "the first of two that are as near"],
])("%s means %s: %s", (wanted, meant) => {
  expect(nearest(wanted, names)).toBe(meant);
});

test.each(["zoe", "", "al", "database", "reviewerreviewer"])("%j means nobody here", (wanted) => {
  expect(nearest(wanted, names)).toBeUndefined();
});

test("with nobody here nobody is meant", () => {
  expect(nearest("alice", [])).toBeUndefined();
});

test("a swap counts once, wherever it is", () => {
  expect(nearest("ba", ["ab"])).toBe("ab");
  expect(nearest("abdc", ["abcd"])).toBe("abcd");
  expect(nearest("badc", ["abcd"])).toBeUndefined();
});
