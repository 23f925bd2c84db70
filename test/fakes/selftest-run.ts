import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { eventually } from "./hosting-hub.js";
import { PATIENCE_MS } from "./patience.js";
import { readProcesses } from "./processes.js";
import { tempFolder } from "./temp-folder.js";

/*
 * `huddle selftest` in a home of its own, on a machine whose backends are a small agent CLI that has a model, and goes wrong as it is told.
 */

const program = resolve("test/fakes/scripted-agent/modelled.mjs");

export type Run = {
  child: ChildProcess;
  /** The person's home, and the home of their hub. */
  home: string;
  huddle: string;
  stdout(): string;
  stderr(): string;
  says(words: string): Promise<string>;
  ended: Promise<number | null>;
};

type SelftestWorld = {
  /** How the ACP form of `scripted` goes wrong. */
  flags?: readonly string[];
  /** Other backends instead, each with such a flag. */
  backends?: Readonly<Record<string, string>>;
  env?: Record<string, string>;
};

/** On a machine that has one backend, `scripted`, unless others are named. */
export function selftest(
  args: readonly string[],
  { flags = [], backends = {}, env = {} }: SelftestWorld = {},
): Run {
  const home = tempFolder();
  const huddle = join(home, "huddle");
  for (const folder of [huddle, join(home, "tmp")]) mkdirSync(folder);
  const named = Object.entries(backends).map(([name, flag]) => [name, [flag]] as const);
  const all = (named.length === 0 ? [["scripted", flags] as const] : named).map(([name, wrong]) => [
    name,
    { like: "claude-code", command: program, acp: [process.execPath, program, ...wrong] },
  ]);
  writeFileSync(join(huddle, "huddle.yaml"), JSON.stringify({ backends: Object.fromEntries(all) as object }));
  const child = spawn(process.execPath, [resolve("dist/main.js"), "selftest", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      TMPDIR: join(home, "tmp"),
      HUDDLE_HOME: huddle,
      ANTHROPIC_API_KEY: "sk-of-the-person",
      ...env,
    },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((done) => {
    child.once("close", done);
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await expectNothingLeft(home);
  });
  return {
    child,
    home,
    huddle,
    stdout: () => stdout,
    stderr: () => stderr,
    says: (words) =>
      eventually(
        async () => (stderr.includes(words) ? words : undefined),
        () => `it says ${words}; it said ${stdout}${stderr}`,
        5 * PATIENCE_MS,
      ),
    ended,
  };
}

/** Neither a process nor a folder of it. */
export async function expectNothingLeft(home: string): Promise<void> {
  const folder = join(home, ".cache", "huddle");
  await eventually(async () => {
    const named = [...readProcesses("cmdline"), ...readProcesses("environ")];
    const left = named.filter(([, text]) => text.includes(join(folder, "st-")));
    const isEmpty = !existsSync(folder) && readdirSync(join(home, "tmp")).length === 0;
    return left.length === 0 && isEmpty ? true : undefined;
  }, `nothing of it is left in ${folder}`);
}

type Behaviour = { behaviour: string; result: string; reason: string | null; fix: string | null };
type Runtime = { runtime: string; verdict: string; reason: string | null; behaviours: Behaviour[] };
type Document = {
  ok: boolean;
  remembered: number;
  logs: string | null;
  backends: { backend: string; version: string | null; installed: boolean; runtimes: Runtime[] }[];
};

export async function documentOf(
  run: Run,
): Promise<{ code: number | null; document: Document; row: Runtime }> {
  const code = await run.ended;
  const document = JSON.parse(run.stdout()) as Document;
  const row = document.backends[0]?.runtimes[0];
  if (row === undefined) throw new Error(`it tried nothing: ${run.stdout()}${run.stderr()}`);
  return { code, document, row };
}

export const memoryOf = ({ huddle }: Run) => {
  const file = join(huddle, "runtimes.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
};
