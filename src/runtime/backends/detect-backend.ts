import { execFile } from "node:child_process";
import type { Backend } from "../backend.js";
import { type Environment, isOwn } from "../process/environment.js";
import { findCommand } from "../process/find-command.js";

type Detected =
  | { found: false; install: string }
  | { found: true; path: string; version: string | undefined; acp: string | undefined };

/** Whether the CLI of a backend is there, which version it says it is, and where its ACP form is. */
export async function detectBackend(backend: Backend, env: Environment): Promise<Detected> {
  const where = { path: env["PATH"] ?? "", cwd: "/" };
  const path = findCommand(backend.command, where);
  if (path === undefined) return { found: false, install: backend.install };
  const [program] = backend.acp ?? [];
  return {
    found: true,
    path,
    version: await askVersion(path, env),
    acp: program === undefined ? undefined : findCommand(program, where),
  };
}

function askVersion(path: string, env: Environment): Promise<string | undefined> {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !isOwn(name)));
  return new Promise((resolve) => {
    const options = { env: clean, timeout: 10_000, maxBuffer: 64 * 1024, killSignal: "SIGKILL" as const };
    execFile(path, ["--version"], options, (_error, stdout, stderr) => {
      resolve(readVersion(stdout) ?? readVersion(stderr));
    });
  });
}

/** "2.1.325 (Claude Code)", "codex-cli 0.166.0", "0.61.0". */
export function readVersion(text: string): string | undefined {
  return /(?<![\d.])\d+\.\d+\.\d+(?:-[\w.]+)?\b/.exec(text)?.[0];
}
