import { defineConfig } from "vitest/config";

/** The tests of a mutation run (`npm run mutate`): those of what is mutated, with few runs of each property. */
export default defineConfig({
  test: {
    include: [
      "src/{journal,hub,policies,delivery,surface,model,views}/**/*.test.ts",
      "test/fifo-per-pair.test.ts",
      "test/clock-jumps.test.ts",
    ],
    setupFiles: ["test/mutation/skip-in-threads.ts"],
    // One seed: whether a mutant is killed must not depend on luck.
    env: { SEED: "1", HUDDLE_PROPERTY_RUNS: "15", HUDDLE_RUNS: "15", HUDDLE_JUMPS: "20" },
    isolate: false,
    retry: 0,
    testTimeout: 30_000,
  },
});
