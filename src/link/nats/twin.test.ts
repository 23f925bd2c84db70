import { expect, test } from "vitest";
import { goesFirst, type Standing } from "./twin.js";

const one = (run: string, is: Standing) => ({ run, is, reads: is === "checks" || is === "serves" });

test.each([
  // Of the other's run `a` and one's own `b`, and the other way round.
  ["serves", "asks", true, true],
  ["serves", "checks", true, true],
  ["checks", "asks", true, true],
  ["checks", "checks", true, false],
  ["asks", "asks", true, false],
  ["asks", "checks", true, false],
  ["waits", "asks", true, false],
  ["waits", "checks", false, false],
] as const)("another hub with the same key that %s, for one that %s", (other, own, smaller, greater) => {
  expect(goesFirst(one("a", other), { run: "b", is: own })).toBe(smaller);
  expect(goesFirst(one("b", other), { run: "a", is: own })).toBe(greater);
});

test("no hub goes before itself, and of earlier versions who reads does", () => {
  expect(goesFirst(one("a", "serves"), { run: "a", is: "asks" })).toBe(false);
  expect(goesFirst({ run: "b", reads: true }, { run: "a", is: "checks" })).toBe(true);
  expect(goesFirst({ run: "b", reads: false }, { run: "a", is: "asks" })).toBe(false);
  expect(goesFirst({ run: "a", reads: false }, { run: "b", is: "asks" })).toBe(true);
});
