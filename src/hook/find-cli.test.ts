import { expect, test } from "vitest";
import { distance, findCli } from "./find-cli.js";
import type { ProcessTree } from "./process-tree.js";

/** `child: [parent, name]` */
function tree(processes: Record<number, readonly [number, string]>): ProcessTree {
  return {
    parentOf: (pid) => processes[pid]?.[0],
    nameOf: (pid) => processes[pid]?.[1],
  };
}

const nested = tree({
  10: [1, "bash"],
  20: [10, "claude"],
  21: [20, "node"],
  22: [20, "npm exec huddle"],
  23: [22, "sh"],
  24: [23, "node"],
  25: [20, "sh"],
  26: [25, "node"],
  30: [25, "claude"],
  31: [30, "node"],
  40: [10, "claude"],
  41: [40, "node"],
});

test("the CLI is the one that it names, if that is above; else the nearest that is no shell", () => {
  expect(findCli(nested, 26, "20")).toBe(20);
  expect(findCli(nested, 26, undefined)).toBe(20);
  expect(findCli(nested, 26, "40")).toBe(20);
  expect(findCli(nested, 26, "x")).toBe(20);
  expect(findCli(nested, 31, "30")).toBe(30);
  expect(findCli(tree({ 5: [1, "node"] }), 5, "1")).toBeUndefined();
});

test("a bridge belongs to the CLI above it, whatever lies between", () => {
  expect(distance(nested, 21, 20)).toBe(0);
  expect(distance(nested, 24, 20)).toBe(2);
  expect(distance(nested, 31, 30)).toBe(0);
});

test("but not to a CLI that runs that CLI, and not to its neighbour", () => {
  expect(distance(nested, 31, 20)).toBeUndefined();
  expect(distance(nested, 41, 20)).toBeUndefined();
  expect(distance(nested, 21, 30)).toBeUndefined();
});

test("a ring of processes, as a look at a moving target can show, has an end", () => {
  const ring = tree({ 5: [6, "a"], 6: [5, "b"] });
  expect(distance(ring, 5, 7)).toBeUndefined();
});
