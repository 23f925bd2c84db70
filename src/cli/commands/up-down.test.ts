import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type CliWorld, cli } from "../../../test/fakes/run-cli.js";
import { closedPort } from "../../../test/fakes/scripted-hub.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { containing, matching } from "../../../test/fakes/text-matching.js";

const self = [process.execPath, resolve("test/fakes/fake-hub.mjs")] as const;
const started = new Set<number>();

afterEach(() => {
  for (const pid of started) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone already, as it should be.
    }
  }
  started.clear();
});

function place(plan = "") {
  const home = tempFolder();
  if (plan !== "") writeFileSync(join(home, "FAKE"), plan);
  const run = async (argv: string[], world: CliWorld = {}) => {
    const outcome = await cli(argv, {
      self,
      ...world,
      env: { HUDDLE_HOME: home, PATH: process.env["PATH"] ?? "", ...world.env },
    });
    const pid = /pid"?:? ?(\d+)/.exec(outcome.stdout)?.[1];
    if (pid !== undefined) started.add(Number(pid));
    return outcome;
  };
  const read = (name: string) =>
    JSON.parse(readFileSync(join(home, name), "utf8")) as Record<string, unknown>;
  return { home, run, read };
}

test("up starts a hub that answers, up again finds it, down stops it", async () => {
  const { run, read } = place();
  const first = await run(["up"]);
  const { url, pid } = read("hub.json");
  expect(first).toEqual({
    code: 0,
    stdout: `✓ Huddle is up at ${String(url)} (pid ${String(pid)})\n`,
    stderr: "",
  });
  expect((await run(["up"])).stdout).toBe(`✓ Huddle is already up at ${String(url)} (pid ${String(pid)})\n`);
  expect((await run([])).stdout).toContain("already up");
  expect(await run(["down"])).toEqual({
    code: 0,
    stdout: `✓ Huddle is down (pid ${String(pid)})\n`,
    stderr: "",
  });
  expect((await run(["down"])).stdout).toBe("Huddle is not running.\n");
});

test("the hub gets its options, and of our environment only what is allowed", async () => {
  const { home, run, read } = place();
  const env = {
    HUDDLE_TOKEN: "mine",
    HUDDLE_URL: "http://127.0.0.1:1",
    ANTHROPIC_API_KEY: "k",
    LC_ALL: "C",
    FOO: "1",
  };
  const up = await run(["up", "--port", "0", "--set", "a=1", "--json"], { env });
  expect(JSON.parse(up.stdout)).toMatchObject({ data: home, token_file: join(home, "token"), started: true });
  const { argv, env: given, cwd } = read("started-with");
  expect(argv).toEqual(["up", "--foreground", "--json", "--port", "0", "--set", "a=1"]);
  expect(Object.keys(given as object).sort()).toEqual(["HUDDLE_HOME", "LC_ALL", "PATH"]);
  expect(cwd).toBe("/");
});

test("settings given to a hub that runs already are said to be ignored", async () => {
  const { run } = place();
  await run(["up"]);
  expect((await run(["up", "--set", "a=1"])).stderr).toContain("huddle down");
});

test("of those who start it at once one wins, and all find it up", async () => {
  const { run } = place();
  const runs = await Promise.all(Array.from({ length: 4 }, () => run(["up", "--json"])));
  const answers = runs.map(({ stdout }) => JSON.parse(stdout) as { pid: number; started: boolean });
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(answers.filter((answer) => answer.started)).toHaveLength(1);
});

test("a hub that refuses to start is quoted, with its exit code", async () => {
  const { run } = place("refuse");
  expect(await run(["up"])).toEqual({ code: 2, stdout: "", stderr: "✗ The fake says CONFIG_INVALID.\n" });
  expect(JSON.parse((await run(["up", "--json"])).stderr)).toEqual({
    error: "The fake says CONFIG_INVALID",
    code: "CONFIG_INVALID",
    port: 1,
  });
});

test("a hub that dies without a word is reported with its log", async () => {
  const { home, run } = place("die");
  const outcome = await run(["up"]);
  expect(outcome).toMatchObject({ code: 1, stderr: containing("exit 3") });
  expect(outcome.stderr).toContain(join(home, "logs", "hub.log"));
});

test("a program that cannot be started is reported", async () => {
  const { run } = place();
  expect(await run(["up"], { self: ["/no/such/program"] })).toMatchObject({
    code: 1,
    stderr: containing("ENOENT"),
  });
});

test("a hub that does not stop is said to run still", async () => {
  const { run } = place("stubborn");
  await run(["up"]);
  // It is also the time in which the hub must have answered that it is there.
  const outcome = await run(["down", "--timeout", "3s"]);
  expect(outcome).toMatchObject({
    code: 1,
    stderr: matching(/still runs after 3 s\.\n {2}.*kill -9 \d+/),
  });
});

test("the address of a hub that was killed is not taken for a hub", async () => {
  const { home, run, read } = place();
  await run(["up"]);
  const { pid } = read("hub.json");
  process.kill(Number(pid), "SIGKILL");
  expect(await run(["status"])).toMatchObject({ code: 3 });
  expect(await run(["down"])).toEqual({ code: 0, stdout: "Huddle is not running.\n", stderr: "" });
  writeFileSync(join(home, "FAKE"), "");
  rmSync(join(home, "lock"));
  expect((await run(["up"])).stdout).toContain("Huddle is up at");
});

test("a process that merely has the hub's old number is left alone", async () => {
  const { home, run } = place();
  writeFileSync(join(home, "token"), "secret");
  writeFileSync(
    join(home, "hub.json"),
    JSON.stringify({ url: `http://127.0.0.1:${await closedPort()}`, pid: process.pid }),
  );
  expect(await run(["down"])).toEqual({ code: 0, stdout: "Huddle is not running.\n", stderr: "" });
});

test("rebuild does not touch the files of a hub that runs", async () => {
  const { run } = place();
  await run(["up"]);
  expect(await run(["rebuild"])).toMatchObject({
    code: 1,
    stderr: containing("stop it first: huddle down"),
  });
});
