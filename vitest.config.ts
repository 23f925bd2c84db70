import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    pool: "forks",
    // Most of these drive real processes on a machine that is busy with them: what fails is tried once more, and shown as such.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/contract/**/*.test.ts", "test/*.test.ts"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          // These spawn dist/main.js: `npm test` builds it first.
          include: ["test/e2e/**/*.test.ts"],
          // One file at a time, after the unit tests: they measure time and share the machine's tmux.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
