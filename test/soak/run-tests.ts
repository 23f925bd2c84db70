import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { whatFailed } from "./what-failed.js";

export type TestRun = {
  file: string;
  /** Only the tests of this name. */
  name?: string;
  /** Other than the usual ones, as for real CLIs. */
  options?: readonly string[];
  /** How the file is told to do more of it. */
  env: Readonly<Record<string, string>>;
};

/** Runs a test file whose counts come from the environment, in folders of its own; what it printed, if it failed or left anything behind. */
export function runTests({ file, name, options = [], env }: TestRun): Promise<string[]> {
  const runner = resolve("scripts", "run-tests.mjs");
  const args = [`soak-${process.pid}`, file, "--retry=0", "--testTimeout=0", ...options];
  const child = spawn(process.execPath, [runner, ...args, ...(name === undefined ? [] : ["-t", name])], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed = (printed + chunk).slice(-20_000);
    });
  }
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) =>
      done(code === 0 ? [] : [`${file} failed (${code}):`, ...whatFailed(printed)]),
    );
  });
}
