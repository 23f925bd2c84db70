import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PlantedFault } from "./planted-fault.js";

/* Runs tests of a changed copy, as CI does, and says what became of each. */

type Guard = PlantedFault["guard"];

export type GuardRun = {
  tests: { file: string; name: string; state: string }[];
  /** All that was printed: the differences stand only there. */
  printed: string;
};

type Report = {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
};

const LIMIT_MS = 15 * 60_000;

export async function runGuards(folder: string, guards: readonly Guard[]): Promise<GuardRun> {
  const report = join(folder, ".cache", "planted.json");
  rmSync(report, { force: true });
  const files = [...new Set(guards.map(({ file }) => file))];
  const words = [...new Set(guards.map(({ test }) => literally(test)))].join("|");
  const printed = await runIn(folder, [
    "scripts/run-tests.mjs",
    "planted",
    ...files,
    "-t",
    words,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  if (!existsSync(report)) return { tests: [], printed };
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName: name, status: state }) => ({ file, name, state })),
  );
  return { tests, printed };
}

/** What a test of this guard came to; nothing where none ran. */
export function statesOf({ file, test }: Guard, { tests }: GuardRun): string[] {
  const own = tests.filter((one) => one.file.endsWith(`/${file}`) && one.name.includes(test));
  return own.map(({ state }) => state).filter((state) => state === "passed" || state === "failed");
}

/** A program of the copy, to its end; what it printed. */
export function runIn(folder: string, args: readonly string[]): Promise<string> {
  const { SEED: _seed, HUDDLE_MAIN: _main, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, NO_COLOR: "1" },
    timeout: LIMIT_MS,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed = (printed + chunk).slice(-1_000_000);
    });
  }
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", () => done(printed));
  });
}

function literally(words: string): string {
  return words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
