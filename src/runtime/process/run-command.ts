import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { formatDuration } from "../../model/duration.js";
import { RuntimeError } from "../runtime.js";
import type { Environment } from "./environment.js";
import { findCommand } from "./find-command.js";
import { type AgentProcess, spawnAgent } from "./spawn-agent.js";
import { createTextTail } from "./text-tail.js";

/*
 * A program that is run to its end: alone in its process group, without input, for so long. Whatever it began ends with it,
 * and all of it with the hub, as for agents: see spawn-agent.ts.
 */

type Command = {
  argv: readonly string[];
  cwd: string;
  env: Environment;
  withinMs: number;
  /** How to get the program, said when it is missing. */
  install: string;
  /** It is not wanted any more. */
  signal: AbortSignal;
};

/** `exit` is null when it did not run to its end; `output` says why then. */
export type CommandResult = { exit: number | null; ms: number; output: string };

/** Characters of what it prints that are kept: the last ones. */
const KEPT = 8 * 1024;
/** Between SIGTERM and SIGKILL. */
const KILL_AFTER_MS = 2000;

/** Undefined when it was not wanted any more. */
export async function runCommand(command: Command): Promise<CommandResult | undefined> {
  const { signal, withinMs } = command;
  const tail = createTextTail(KEPT);
  const begun = performance.now();
  const result = (exit: number | null, last = "") => ({
    exit,
    ms: Math.round(performance.now() - begun),
    output: `${tail.read()}${last}`.trim().slice(-KEPT),
  });
  if (signal.aborted) return undefined;
  let program: AgentProcess;
  try {
    checkProgram(command);
    program = await spawnAgent({ ...command, onErrors: tail.add });
  } catch (error) {
    if (error instanceof RuntimeError) return result(null, error.message);
    throw error;
  }
  program.stdin.end();
  program.stdout.setEncoding("utf8").on("data", tail.add);

  let isLate = false;
  const stop = () => void program.stop({ graceMs: 0, killAfterMs: KILL_AFTER_MS });
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, withinMs);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const { code, signal: by } = await program.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return undefined;
  if (isLate) return result(null, `\nIt was ended: it ran longer than ${formatDuration(withinMs)}.`);
  return code === null ? result(null, `\nIt was ended by ${by ?? "a signal"}.`) : result(code);
}

/** A file that is there and cannot be run is not one that is missing. */
function checkProgram({ argv, cwd, env }: Command): void {
  const [name = ""] = argv;
  const isThere = name.includes("/") && existsSync(resolve(cwd, name));
  if (!isThere || findCommand(name, { path: env["PATH"] ?? "", cwd }) !== undefined) return;
  throw new RuntimeError("BACKEND_MISSING", `"${name}" is not a program that can be run: chmod +x ${name}`);
}
