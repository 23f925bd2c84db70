import type { Reporter, TestCase } from "vitest/node";
import { createGrid, readCell } from "./grid.js";

/** Prints the grid at the end of a run that has cells of it. */
export function createGridReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const grid = createGrid();
      let cells = 0;
      for (const module of modules)
        for (const test of module.children.allTests()) {
          const runtime = /^under (\w+)$/.exec(parentOf(test))?.[1];
          const found = readCell(test.name, outcomeOf(test));
          if (runtime === undefined || found === undefined || test.result().state === "skipped") continue;
          cells++;
          grid.set({ client: module.project.name, runtime, behaviour: found.behaviour }, found.cell);
        }
      if (cells > 0) console.log(`\n${grid.render()}\n`);
    },
  };
}

function parentOf(test: TestCase): string {
  return test.parent.type === "suite" ? test.parent.name : "";
}

function outcomeOf(test: TestCase): { passed: boolean; retried: boolean } {
  return { passed: test.result().state === "passed", retried: (test.diagnostic()?.retryCount ?? 0) > 0 };
}
