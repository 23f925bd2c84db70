import { expect, test } from "vitest";
import { goesFirst } from "./twin.js";

test("of two hubs with one key the one that reads goes first, and one of two that wait for each other", () => {
  expect(goesFirst({ run: "b", reads: true }, "a")).toBe(true);
  expect(goesFirst({ run: "b", reads: false }, "a")).toBe(false);
  expect(goesFirst({ run: "a", reads: false }, "b")).toBe(true);
  expect(goesFirst({ run: "a", reads: true }, "a")).toBe(false);
});
