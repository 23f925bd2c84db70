import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../fakes/temp-folder.js";

/** A run of planted tests, all of which pass, for somebody with this home. */
function runPlanted(home: string) {
  const argv = ["scripts/run-tests.mjs", "planted", "--config", "test/fixtures/planted/vitest.config.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    env: {
      ...process.env,
      CI: "true",
      HUDDLE_TEST_RUN: undefined,
      HUDDLE_TEST_REPORT: undefined,
      HOME: home,
      PLANTED_HOME: home,
    },
  });
  return { status, said: stdout + stderr };
}

test("a run that leaves a process, its port and files behind, and skips a test in CI, fails and names them", () => {
  const home = tempFolder();
  const { status, said } = runPlanted(home);

  expect(said).toMatch(/Left running: process \d+, listening on \d+: .*createServer/);
  expect(said).toMatch(/Left lying: .*forgotten\.txt/);
  expect(said).toContain(`Left lying: ${join(home, ".planted")}`);
  expect(said).toContain("Skipped: test/fixtures/planted/skips.planted.ts > is forgotten");
  expect(status).toBe(1);
});
