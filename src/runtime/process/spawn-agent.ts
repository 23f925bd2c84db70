import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { quoteLine } from "../../model/others-words.js";
import { type ExitReport, RuntimeError } from "../runtime.js";
import type { Environment } from "./environment.js";
import { findCommand } from "./find-command.js";
import { runVariable, shimCommand } from "./shim.js";
import { signal } from "./signal.js";
import { sweepRun } from "./sweep.js";
import { createTextTail } from "./text-tail.js";

/*
 * A process of an agent, alone in its process group, which ends as a whole: when the agent's process ends, when it is
 * stopped, and when the hub dies. See shim.ts.
 */

export type AgentProcess = {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** For what the adapter wants to be found beside standard error, such as noise on standard output. */
  note(text: string): void;
  /** Resolves when the agent's own process ended and its pipes are drained; the rest of the group is being ended then. */
  readonly ended: Promise<ExitReport>;
  /** Closes its input, waits; SIGTERM to the group, waits; SIGKILL. Resolves when nothing is left of it. */
  stop(options: StopOptions): Promise<void>;
};

/** How long it may take to end by itself, and after SIGTERM. */
type StopOptions = { graceMs: number; killAfterMs?: number };

type SpawnOptions = {
  argv: readonly string[];
  cwd: string;
  env: Environment;
  /** How to get the program, said when it is missing. */
  install: string;
  /** Told what it writes to its standard error, besides the end of it that is kept. */
  onErrors?: (text: string) => void;
};

const stderrLimit = 8 * 1024;

export async function spawnAgent({ argv, cwd, env, install, onErrors }: SpawnOptions): Promise<AgentProcess> {
  const [command = "", ...args] = argv;
  checkFolder(cwd);
  const program = findCommand(command, { path: env["PATH"] ?? "", cwd });
  if (program === undefined) {
    throw new RuntimeError("BACKEND_MISSING", `"${command}" is not installed. ${install}`, { command });
  }
  const run = randomUUID();
  const [file, ...shimArgs] = shimCommand([program, ...args], { run, setpriv: findSetpriv() });
  const child = spawn(file, shimArgs, {
    cwd,
    env: { ...env, [runVariable]: run },
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  await started(child, command);
  return superviseAgent(child, run, onErrors);
}

function superviseAgent(
  child: ChildProcess,
  run: string,
  onErrors: (text: string) => void = () => {},
): AgentProcess {
  const { pid, stdin, stdout, stderr } = child;
  const lifeline = child.stdio[3];
  if (pid === undefined || stdin === null || stdout === null || stderr === null || !lifeline) {
    throw new Error("a process was spawned without its pipes");
  }
  const errors = createTextTail(stderrLimit);
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors.add(text);
    onErrors(text);
  });
  // A write to an agent that is gone fails here too; its end is told by `ended`.
  for (const pipe of [stdin, stdout, stderr, lifeline]) pipe.on("error", () => {});

  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));

  // What the agent began may hold its pipes open, so they are waited for only until the group is gone.
  const cleared = exited.then(async () => {
    signal(-pid, "SIGTERM");
    await sweepRun(run);
    signal(-pid, "SIGKILL");
    lifeline.destroy();
  });
  const ended = cleared.then(async (): Promise<ExitReport> => {
    await Promise.race([closed, sleep(1000, undefined, { ref: false })]);
    stdout.destroy();
    stderr.destroy();
    return { code: child.exitCode, signal: child.signalCode, stderr: errors.read() };
  });

  const exitsWithin = (ms: number) =>
    Promise.race([exited.then(() => true), sleep(ms, false, { ref: false })]);

  async function end({ graceMs, killAfterMs = 5000 }: StopOptions): Promise<void> {
    stdin?.end();
    if (graceMs > 0 && (await exitsWithin(graceMs))) return;
    signal(-Number(pid), "SIGTERM");
    if (await exitsWithin(killAfterMs)) return;
    signal(-Number(pid), "SIGKILL");
  }
  return {
    pid,
    stdin,
    stdout,
    note: (text) => errors.add(text),
    ended,
    async stop(options) {
      await end(options);
      await ended;
    },
  };
}

function started(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(
        new RuntimeError("BACKEND_FAILED", `"${command}" could not be started: ${quoteLine(cause.message)}`),
      ),
    );
  });
}

function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new RuntimeError("BACKEND_FAILED", `The project folder "${quoteLine(cwd)}" is not there.`, { cwd });
}

/** Of util-linux; its absence leaves the watch alone on guard. */
function findSetpriv(): string | undefined {
  if (process.platform !== "linux") return undefined;
  return findCommand("setpriv", { path: "/usr/bin:/bin:/usr/sbin", cwd: "/" });
}
