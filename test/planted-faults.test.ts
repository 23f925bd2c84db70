import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { plantedFaults } from "./soak/planted/faults.js";
import { plant } from "./soak/planted/planted-fault.js";

/* `npm run soak planted` plants them and runs the tests that must find them. */

test.each(plantedFaults)("the fault that $name fits the sources (promise $promise)", ({ edits, guard }) => {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const before = texts.get(edit.file) ?? readFileSync(edit.file, "utf8");
    texts.set(edit.file, plant(before, edit));
  }

  expect(texts.size).toBeGreaterThan(0);
  expect(existsSync(guard.file)).toBe(true);
});

test("each promise that has a test of its own has a planted fault; how soon a hub is ready is measured", () => {
  const numbers = new Set(plantedFaults.map(({ promise }) => promise));

  expect([...numbers]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]);
});

test("a text that is not there, or there twice, is no place for a fault", () => {
  expect(() => plant("a", { file: "f", find: "b", put: "c" })).toThrow("f has 0 times");
  expect(() => plant("b b", { file: "f", find: "b", put: "c" })).toThrow("f has 2 times");
});
