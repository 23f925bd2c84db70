import { defineConfig } from "vitest/config";

/** Tests with the vendors' own CLIs, on a scripted model: `npm run test:clients`. Not part of `npm test`. */
export default defineConfig({
  test: {
    name: "clients",
    pool: "forks",
    include: ["test/clients/**/*.test.ts"],
    // One CLI at a time: each takes a core and up to a few hundred megabytes.
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // The CLIs are other people's programs on a machine that is busy with them: what fails is tried again, and shown as such.
    retry: 2,
  },
});
