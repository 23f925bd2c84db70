import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** A run of planted tests, all of which pass. */
function runPlanted() {
  const argv = ["scripts/run-tests.mjs", "planted", "--config", "test/fixtures/planted/vitest.config.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    env: { ...process.env, CI: "true", HUDDLE_TEST_RUN: undefined, HUDDLE_TEST_REPORT: undefined },
  });
  return { status, said: stdout + stderr };
}

test("a run that leaves a process, its port and a file behind, and skips a test in CI, fails and names them", () => {
  const { status, said } = runPlanted();

  expect(said).toMatch(/Left running: process \d+, listening on \d+: .*createServer/);
  expect(said).toMatch(/Left lying: .*forgotten\.txt/);
  expect(said).toContain("Skipped: test/fixtures/planted/skips.planted.ts > is forgotten");
  expect(status).toBe(1);
});
