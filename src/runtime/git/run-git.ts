import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { HubError } from "../../model/errors.js";

/*
 * One run of git for the hub itself. What agents can write must not run in it: no hooks, no fsmonitor, no signing program,
 * no network, nothing of the environment that would lead git elsewhere. What the repository's own configuration
 * names as programs is turned off in `open-git.ts`.
 */

const OWN_SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "commit.gpgSign=false",
  "merge.verifySignatures=false",
  "merge.autoStash=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.quotePath=false",
];

const TIME_LIMIT_MS = 60_000;
const MOST_BYTES = 16 * 1024 * 1024;
const STDERR_MOST = 16 * 1024;

export type GitOptions = {
  /** `key=value`, for this run. */
  settings?: readonly string[];
  /** A file that is used in place of the index. */
  index?: string;
  timeoutMs?: number;
  /** Of what it prints; git is ended once there is more. */
  mostBytes?: number;
};

export type GitAnswer = { code: number; stdout: string; stderr: string; isCut: boolean };

export function runGit(
  cwd: string,
  args: readonly string[],
  { settings = [], index, timeoutMs = TIME_LIMIT_MS, mostBytes = MOST_BYTES }: GitOptions = {},
): Promise<GitAnswer> {
  const options = [...OWN_SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["--no-pager", ...options, ...args], {
      cwd,
      env: { ...gitEnvironment(process.env), ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) },
      stdio: ["ignore", "pipe", "pipe"],
      // In a group of its own, so that what it started ends with it.
      detached: true,
    });
    const printed: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      if (bytes > mostBytes) return;
      bytes += chunk.length;
      printed.push(chunk);
      if (bytes > mostBytes) endGroup(child);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_MOST);
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(cannotRun(cwd, error));
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      if (late) {
        reject(failed(`git ${args[0] ?? ""} took longer than ${timeoutMs / 1000} s in ${cwd}`));
        return;
      }
      const isCut = bytes > mostBytes;
      const stdout = Buffer.concat(printed).subarray(0, mostBytes).toString("utf8");
      resolve({ code: isCut ? 0 : (code ?? -1), stdout, stderr, isCut });
    });
  });
}

export function failed(problem: string, details: Readonly<Record<string, unknown>> = {}): HubError {
  return new HubError("WORKTREE_FAILED", problem, details);
}

function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_EDITOR: "true",
    // No transport has this name: nothing is fetched, also not for a partial clone.
    GIT_ALLOW_PROTOCOL: "none",
  };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function cannotRun(cwd: string, error: Error): HubError {
  if (!existsSync(cwd)) return failed(`There is no folder ${cwd}`);
  const isMissing = "code" in error && error.code === "ENOENT";
  return failed(
    isMissing
      ? "git is not installed, or not on the hub's PATH; a worktree needs it"
      : `git could not be run: ${error.message}`,
  );
}
