import { expect, test } from "vitest";
import { excerpt, findFitting, fitness, readQuery } from "./palette-items.js";

test("a sign before the words says among what to look", () => {
  expect(readQuery("@pay")).toEqual({ only: "agents", words: "pay" });
  expect(readQuery("# tax rule ")).toEqual({ only: "messages", words: "tax rule" });
  expect(readQuery("pay dev")).toEqual({ only: undefined, words: "pay dev" });
});

test("the beginning of a name fits better than the beginning of a part, and that better than the inside", () => {
  const names = ["prepay", "dev-pay", "pay-dev", "other"];
  expect(findFitting(names, "pay", (name) => name, 9)).toEqual(["pay-dev", "dev-pay", "prepay"]);
  expect(fitness("Shut down pay-dev", "shut dev")).toBeGreaterThan(0);
  expect(fitness("Shut down pay-dev", "shut tax")).toBe(0);
});

test("of a message the part around the hit is shown", () => {
  expect(excerpt("short\nand small", "small")).toBe("short and small");
  expect(excerpt(`${"x".repeat(100)} here it is`, "here")).toMatch(/^…x{23} here it is$/);
});
