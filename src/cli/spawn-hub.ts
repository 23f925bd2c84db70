import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { storageAdvice } from "../client/storage-advice.js";
import { errorBody } from "../contract/http/hub.js";
import { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";
import type { CliIo } from "./cli-io.js";

export type SpawnedHub = {
  pid: number | undefined;
  /** Undefined while it runs. */
  ended(): { code: number; said: string } | undefined;
  /** Leaves it running when this program ends. */
  release(): void;
};

type SpawnHubOptions = {
  self: CliIo["self"];
  args: readonly string[];
  env: Record<string, string>;
  logFile: string;
  /** It gets a pipe from us, which closes however we end. */
  tied: boolean;
};

/** Starts a hub that outlives us: its own session, no terminal, the root folder, everything it says in a file. */
export function spawnHub({ self, args, env, logFile, tied }: SpawnHubOptions): SpawnedHub {
  const log = openLog(logFile);
  const { size } = fstatSync(log);
  const [executable, ...first] = self;
  let code: number | undefined;
  let child: ChildProcess;
  try {
    child = spawn(executable, [...first, ...args], {
      detached: true,
      stdio: [tied ? "pipe" : "ignore", log, log],
      env,
      cwd: "/",
    });
  } finally {
    closeSync(log);
  }
  let failure = "";
  child.once("error", (error) => {
    failure = error.message;
    code = 1;
  });
  child.once("exit", (exitCode) => {
    code = exitCode ?? 1;
  });
  return {
    pid: child.pid,
    ended: () => (code === undefined ? undefined : { code, said: failure || readFrom(logFile, size) }),
    release: () => child.unref(),
  };
}

/** The refusal among what a hub said, if it gave one: the last line that is an error document. */
export function findRefusal(said: string) {
  for (const line of said.split("\n").reverse()) {
    if (!line.startsWith("{")) continue;
    const refusal = errorBody.safeParse(parseJson(line)).data;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function openLog(file: string): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, "a", 0o600);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const hint = storageAdvice(error, dirname(file));
    throw new HubError(
      "DATA_UNUSABLE",
      `${file} cannot be written (${reason})`,
      { file, hint },
      { cause: error },
    );
  }
}

function readFrom(file: string, start: number): string {
  return readFileSync(file).subarray(start).toString("utf8");
}
