import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/fakes/patience.js";
import { LongestFirst } from "./test/report/longest-first.js";
import { SuiteReporter } from "./test/report/suite-reporter.js";

/** Most of these wait for processes, for timers and for the disk: three for each core keep all of them busy. */
const workers = Math.min(3 * availableParallelism(), 8);

/** Of tests with whole hubs: the longest take two minutes beside the others, and a machine may be far slower. */
const wholeHubs = { isolate: false, testTimeout: 600_000, hookTimeout: 300_000 };

/*
 * `npm test` runs all projects but those with a name that ends in "-long". These are in `npm run test:long`: loops that kill and break
 * things, several machines, everything that is looked at in many forms. CI runs both.
 */
export default defineConfig({
  test: {
    pool: "forks",
    // A test that sometimes fails is a bug to be found.
    retry: 0,
    maxConcurrency: 3,
    globalSetup: ["test/report/run-by-hand.ts"],
    setupFiles: ["test/report/own-place.ts", "test/report/file-cpu.ts"],
    reporters: ["default", new SuiteReporter()],
    sequence: { sequencer: LongestFirst },
    // Whatever comes, comes late on a machine that is busy or slow: only what never comes is waited out.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "test/contract/**/*.test.ts",
            "test/guard/*.test.ts",
            "test/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "unit-shared",
          include: ["src/**/*.test.ts"],
          // Files share a process, and the modules in it: half of a small file's time is loading what the last one had loaded.
          isolate: false,
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          // These spawn dist/main.js: `npm test` builds it first.
          include: ["test/e2e/**/*.test.ts"],
          ...wholeHubs,
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e-long",
          include: ["test/e2e-long/**/*.test.ts"],
          ...wholeHubs,
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          // A Chromium each, after the others: it takes all of a core while it starts.
          include: ["test/browser/**/*.test.ts"],
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "browser-long",
          include: ["test/browser-long/**/*.test.ts"],
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "alone-long",
          // One file at a time, after the others: what they measure is time or memory.
          include: ["test/alone-long/**/*.test.ts"],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
