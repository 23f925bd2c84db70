import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { behaviours, cannotTitle, createGrid, readCell } from "./clients/grid.js";

/* The printed grid of vendors' CLIs, runtimes and behaviours. */

const passed = { passed: true, retried: false };

test("a test's title and outcome make its cell", () => {
  expect(readCell(behaviours.asks, passed)).toEqual({ behaviour: "asks", cell: { kind: "works" } });
  expect(readCell(behaviours.asks, { ...passed, retried: true })?.cell).toEqual({ kind: "retried" });
  expect(readCell(behaviours.asks, { passed: false, retried: true })?.cell).toEqual({ kind: "fails" });
  expect(readCell(cannotTitle("asks", "its help has no option"), passed)?.cell).toEqual({
    kind: "cannot",
    evidence: "its help has no option",
  });
  expect(readCell("something else", passed)).toBeUndefined();
});

test("evidence that does not hold is a failure, not an excuse", () => {
  const title = cannotTitle("asks", "its help has no option");
  expect(readCell(title, { passed: false, retried: false })?.cell).toEqual({ kind: "fails" });
});

test("the grid counts what works, names what cannot be, and shows what did not run", () => {
  const grid = createGrid();
  grid.set({ client: "codex", runtime: "acp", behaviour: "wakes" }, { kind: "works" });
  grid.set({ client: "codex", runtime: "acp", behaviour: "ends" }, { kind: "fails" });
  grid.set(
    { client: "codex", runtime: "headless", behaviour: "asks" },
    { kind: "cannot", evidence: "its help" },
  );
  expect(grid.render().split("\n")).toEqual([
    "                wakes  tools  queues  asks  interrupts  resumes  kill -9  ends",
    "codex acp       ✓      ·      ·       ·     ·           ·        ·        ✗",
    "codex headless  ·      ·      ·       –     ·           ·        ·        ·",
    "– codex headless, asks: its help",
    "1 of 16 cells work, 1 cannot be. ✓ works  ↻ second try  ✗ fails  – cannot be  · not run",
  ]);
});

test("every behaviour has its test", () => {
  const text = readFileSync(join("test", "clients", "hosted.test.ts"), "utf8");
  const missing = Object.values(behaviours).filter((title) => !text.includes(`test("${title}", async`));
  expect(missing).toEqual([]);
});
