import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../test/fakes/hosting-hub.js";
import { readProcesses } from "../../../test/fakes/processes.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { newUuid7 } from "../../model/uuid7.js";
import { runCommand } from "./run-command.js";

type Options = { cwd?: string; withinMs?: number; signal?: AbortSignal; mark?: string };

function run(argv: readonly string[], { cwd, withinMs, signal, mark = "x" }: Options = {}) {
  return runCommand({
    argv,
    cwd: cwd ?? tempFolder(),
    env: { PATH: process.env["PATH"] ?? "", MARK: mark },
    withinMs: withinMs ?? 60_000,
    install: "Install it.",
    signal: signal ?? new AbortController().signal,
  });
}

const node = (script: string) => [process.execPath, "-e", script];
const marked = (mark: string) =>
  readProcesses("environ").filter(([, text]) => text.includes(`MARK=${mark}\0`));
const noneLeft = (mark: string) =>
  eventually(async () => (marked(mark).length === 0 ? true : undefined), "nothing of it is left");

/** One of the same group and one in a session of its own, both deaf to SIGTERM. */
const family = `
  const { spawn } = require("node:child_process");
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
  for (const detached of [false, true]) {
    const child = spawn(process.execPath, ["-e", deaf], { detached, stdio: ["ignore", "inherit", "inherit"] });
    child.unref();
  }
`;

test("a program runs to its end: its exit code, and what it printed on both ways", async () => {
  const result = await run(node("console.log('out'); console.error('err'); process.exitCode = 3"));
  expect(result).toMatchObject({ exit: 3 });
  expect(result?.output.split("\n").sort()).toEqual(["err", "out"]);
});

test("it has no input, and works where it is told to", async () => {
  const cwd = tempFolder();
  const script =
    "require('node:fs').writeFileSync('new.txt', require('node:fs').readFileSync(0, 'utf8') + 'end')";
  expect(await run(node(script), { cwd })).toMatchObject({ exit: 0, output: "" });
  expect(readFileSync(join(cwd, "new.txt"), "utf8")).toBe("end");
});

test("no shell reads its arguments", async () => {
  const args = ["$HOME", "`id`", "; exit 7", "a b"];
  const script = "console.log(JSON.stringify(process.argv.slice(1)))";
  const result = await run([...node(script), "--", ...args]);
  expect(JSON.parse(result?.output ?? "")).toEqual(args);
});

test("of a flood only the end is kept", { timeout: 60_000 }, async () => {
  const script = `
    const line = "x".repeat(1023) + "\\n";
    let left = 100 * 1024;
    const more = () => { while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once("drain", more);
      process.stdout.write("the end"); };
    more();`;
  const result = await run(node(script));
  expect(result?.exit).toBe(0);
  expect(result?.output.endsWith("the end")).toBe(true);
  expect(result?.output.length).toBeLessThanOrEqual(8192);
});

test("what hangs is ended whole when its time is up, and says so", { timeout: 60_000 }, async () => {
  const mark = newUuid7();
  const script = `${family}; process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`;
  const result = await run(node(script), { withinMs: 1500, mark });
  expect(result).toMatchObject({ exit: null });
  expect(result?.output).toContain("It was ended: it ran longer than 1500ms.");
  await noneLeft(mark);
});

test("what it leaves running ends with it", { timeout: 60_000 }, async () => {
  const mark = newUuid7();
  expect(await run(node(family), { mark })).toMatchObject({ exit: 0 });
  await noneLeft(mark);
});

test("what is not wanted any more is ended, and has no result", { timeout: 60_000 }, async () => {
  const mark = newUuid7();
  const stop = new AbortController();
  const result = run(node("setInterval(() => {}, 1000)"), { mark, signal: stop.signal });
  await eventually(async () => (marked(mark).length > 0 ? true : undefined), "it runs");
  stop.abort();
  expect(await result).toBeUndefined();
  await noneLeft(mark);
  expect(await run(node(""), { signal: stop.signal })).toBeUndefined();
});

test("one that is ended by a signal did not run to its end", async () => {
  const result = await run(node("console.log('before'); process.kill(process.pid, 'SIGKILL')"));
  expect(result).toMatchObject({ exit: null, output: "before\n\nIt was ended by SIGKILL." });
});

test("a program that is missing, not executable or without its folder says so", async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, "check.sh"), "#!/bin/sh\nexit 0\n");
  expect(await run(["no-such-program"], { cwd })).toMatchObject({
    exit: null,
    output: '"no-such-program" is not installed. Install it.',
  });
  expect(await run(["./missing.sh"], { cwd })).toMatchObject({ exit: null });
  expect(await run(["./check.sh"], { cwd })).toMatchObject({
    exit: null,
    output: '"./check.sh" is not a program that can be run: chmod +x ./check.sh',
  });
  chmodSync(join(cwd, "check.sh"), 0o755);
  expect(await run(["./check.sh"], { cwd })).toMatchObject({ exit: 0 });
  expect(await run(["true"], { cwd: join(cwd, "gone") })).toMatchObject({
    exit: null,
    output: expect.stringContaining("is not there") as unknown,
  });
});
