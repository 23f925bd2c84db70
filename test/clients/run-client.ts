import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, ClientWorld, HeadlessResult, Launch } from "./client.js";

export type ClientRun = HeadlessResult & {
  code: number | null;
  stdout: string;
  stderr: string;
};

/** Where CLIs put their temporary files: beside their homes, as some put nothing into a home below it. */
export const clientTemp = () => join(tmpdir(), "tmp");

/** Only what a CLI needs: nothing of the person's own settings reaches it. */
export function cleanEnvironment(world: ClientWorld, { env }: Launch): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: world.home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TMPDIR: clientTemp(),
    ...env,
  };
}

/** A CLI in a process group of its own, so that what it leaves behind ends with it. */
function spawnClient(world: ClientWorld, launch: Launch): ChildProcess {
  const [command = "", ...args] = launch.argv;
  const child = spawn(command, args, {
    cwd: world.cwd,
    env: cleanEnvironment(world, launch),
    stdio: [launch.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin?.on("error", () => {}); // It ended before it read; what it said tells why.
  child.stdin?.end(launch.stdin);
  return child;
}

/** One prompt to the end. Rejects when it takes longer than the limit or ends badly. */
export function runHeadless(
  client: Client,
  world: ClientWorld,
  prompt: string,
  { resume, limitMs = 120_000 }: { resume?: string | undefined; limitMs?: number } = {},
): Promise<ClientRun> {
  const child = spawnClient(world, client.headless(world, prompt, resume));
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    let late = false;
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const limit = setTimeout(() => {
      late = true;
      killGroup(child);
    }, limitMs);
    child.once("error", reject);
    child.once("exit", () => killGroup(child));
    child.once("close", (code) => {
      clearTimeout(limit);
      const run = { ...client.readRun(stdout), code, stdout, stderr };
      if (code === 0 && !late) resolve(run);
      else
        reject(
          new Error(
            `${client.name} ${late ? `was not done in ${limitMs} ms` : `ended with ${code}`}\n${stdout.slice(-3000)}\n${stderr.slice(-3000)}`,
          ),
        );
    });
  });
}

/** SIGTERM is not enough for some of them. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** What is to happen while a CLI runs; when it ends first, that is the failure, with what it said. */
export function during<T>(running: Promise<ClientRun>, awaited: Promise<T>): Promise<T> {
  const ended = running.then(({ text, stderr }): never => {
    throw new Error(`the CLI ended first and said: ${text}\n${stderr.slice(-2000)}`);
  });
  ended.catch(() => {}); // Lost races end, too.
  return Promise.race([awaited, ended]);
}
