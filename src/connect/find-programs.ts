import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readVersion } from "../runtime/backends/find-versions.js";
import { findCommand } from "../runtime/process/find-command.js";
import type { Connection } from "../runtime/vendors/connection.js";
import { connections } from "../runtime/vendors/connections.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** A CLI that Huddle can connect; without a path it is not installed. */
export type FoundProgram = { connection: Connection; path: string | undefined };

export function findPrograms(env: Environment): FoundProgram[] {
  return connections.map((connection) => ({
    connection,
    path: findCommand(connection.program, { path: env["PATH"] ?? "", cwd: "/" }),
  }));
}

const VERSION_MS = 15_000;

/** Undefined when it does not say. */
export async function askVersion(
  program: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const asking = promisify(execFile)(program, ["--version"], {
    env: { ...env },
    timeout: VERSION_MS,
    killSignal: "SIGKILL",
    signal,
  });
  asking.child.stdin?.end();
  try {
    const { stdout, stderr } = await asking;
    return readVersion(stdout) ?? readVersion(stderr) ?? undefined;
  } catch {
    return undefined;
  }
}
