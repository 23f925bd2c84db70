import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { signalProcess } from "../fakes/hub-process.js";
import { mountSmallDisk } from "../fakes/small-disk.js";
import { tempFolder } from "../fakes/temp-folder.js";

/** Runs planted tests, all of which pass, for somebody with a home of their own. */
function runPlanted(files: readonly string[], { home = tempFolder(), options = [] as string[] } = {}) {
  // As one of the programs that tests drive would call it.
  const mark = basename(home).replace("huddle-test-", "claude-planted");
  const config = join("test", "fixtures", "planted", "vitest.config.ts");
  const argv = ["scripts/run-tests.mjs", "planted", "--config", config, ...options, ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    env: {
      ...process.env,
      CI: undefined,
      HUDDLE_TEST_RUN: undefined,
      HUDDLE_TEST_REPORT: undefined,
      HOME: home,
      PLANTED_HOME: home,
      PLANTED_MARK: mark,
    },
  });
  return { status, said: stdout + stderr, home, mark };
}

/** What names no run is not removed by one. */
function removeUnmarked({ home, mark }: { home: string; mark: string }): readonly number[] {
  const pids = JSON.parse(readFileSync(join(home, "pids.json"), "utf8")) as number[];
  for (const pid of pids) signalProcess(pid, "SIGKILL");
  const lying = readdirSync("/tmp").filter((name) => name.startsWith(mark));
  for (const path of [...lying.map((name) => join("/tmp", name)), resolve(".cache", `children-${mark}`)])
    rmSync(path, { recursive: true, force: true });
  return pids;
}

test("a run that leaves processes, their ports and files behind fails and names them", () => {
  const run = runPlanted(["leftovers", "unmarked"]);
  const { status, said, home, mark } = run;
  const [ofCheckout, inCheckout, elsewhere] = removeUnmarked(run);

  expect(said).toMatch(/Left running: process \d+, listening on \d+: .*createServer/);
  expect(said).toMatch(/Left lying: .*forgotten\.txt/);
  expect(said).toContain(`Left lying: ${join(home, ".planted")}\n`);
  // These are in no folder of the run.
  expect(said).toMatch(new RegExp(`Left lying: /tmp/${mark}-hud-\\d+-\\w+\n`));
  expect(said).toContain(`Left lying: ${resolve(".cache", `children-${mark}`)}\n`);
  expect(said).toMatch(new RegExp(`Left running: process ${ofCheckout}: .*stay\\.mjs`));
  expect(said).toMatch(new RegExp(`Left running: process ${inCheckout}, listening on \\d+: `));
  // These may be anybody's on a machine that others use.
  expect(said).not.toContain(`process ${elsewhere}`);
  expect(said).not.toContain(`/tmp/${mark}.txt`);
  expect(status).toBe(1);
});

test("in CI what a program that tests drive leaves in /tmp is found, and any port", () => {
  const run = runPlanted(["unmarked"], { options: ["--strict"] });
  const { status, said, mark } = run;
  const [, , elsewhere] = removeUnmarked(run);

  expect(said).toContain(`Left lying: /tmp/${mark}.txt\n`);
  expect(said).toMatch(new RegExp(`Left running: process ${elsewhere}, listening on \\d+: `));
  expect(status).toBe(1);
});

test("what is left mounted is named, and unmounted before the folder is removed", ({ skip }) => {
  const disk = mountSmallDisk(1024 * 1024);
  if (typeof disk === "string") return skip(disk);
  disk.unmount();
  const { status, said } = runPlanted(["mounts"]);
  const [, folder = ""] = /Left mounted: (.*left disk) \(tmpfs\)/.exec(said) ?? [];
  onTestFinished(() => void spawnSync("umount", [folder]));

  expect(basename(folder)).toBe("left disk");
  expect(existsSync(dirname(folder))).toBe(false);
  expect(status).toBe(1);
});

test("a skip, and a test that alone is run, fail in CI and are named elsewhere", () => {
  const skipped = "Skipped: test/fixtures/planted/skips.planted.ts > is forgotten";
  const inCi = runPlanted(["skips", "only"], { options: ["--strict"] });
  const elsewhere = runPlanted(["skips", "only"]);

  expect(inCi.said).toContain(`✗ ${skipped}`);
  expect(inCi.said).toContain("Unexpected .only modifier");
  expect(inCi.status).toBe(1);
  expect(elsewhere.said).toContain(skipped);
  expect(elsewhere.said).toContain("Nothing was left behind");
  expect(elsewhere.status).toBe(0);
});

test("a test that was not asked for is none that was skipped", () => {
  const { said } = runPlanted(["skips"], { options: ["--strict", "-t", "passes"] });

  expect(said).not.toContain("Skipped");
});
