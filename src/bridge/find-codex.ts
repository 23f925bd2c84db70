import { readFileSync, readlinkSync } from "node:fs";
import { statField } from "./process-start.js";

/** The program that serves a codex session on a screen, and what it needs to be told of its files. */
export type Codex = { pid: number; program: string; env: Record<string, string> };

const GENERATIONS = 4;

/**
 * A session on a screen is served by a program in the background, `codex app-server`, which runs its bridge. That program
 * can also speak to it. Undefined elsewhere: `codex exec` is over when its turn is.
 */
export function findCodex(): Codex | undefined {
  let pid = process.ppid;
  for (let i = 0; i < GENERATIONS && pid > 1; i++) {
    const argv = read(pid, "cmdline").split("\0");
    if (argv.includes("app-server")) return describe(pid, argv[0] ?? "");
    pid = Number(statField(pid, "parent") ?? 0);
  }
  return undefined;
}

function describe(pid: number, named: string): Codex | undefined {
  const own = new Map(
    read(pid, "environ")
      .split("\0")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const),
  );
  const env = Object.fromEntries(
    ["PATH", "HOME", "CODEX_HOME", "LANG"].flatMap((name) => {
      const value = own.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  try {
    const program = readlinkSync(`/proc/${pid}/exe`);
    // It was updated while it ran.
    return { pid, program: program.endsWith(" (deleted)") ? named : program, env };
  } catch {
    return undefined;
  }
}

function read(pid: number, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // Another user's, or another system.
  }
}
