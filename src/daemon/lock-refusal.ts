import { hostname } from "node:os";
import { dirname } from "node:path";
import { readHubFile } from "../client/hub-file.js";
import { errorCode, storageAdvice } from "../client/storage-advice.js";
import { SqliteError } from "../journal/sqlite/sqlite-error.js";
import { HubError } from "../model/errors.js";
import { cannotUse, tryToWrite } from "./private-file.js";

/** The row in the lock file. `claim` is random: two containers that share a folder can share a pid too. */
export type Holder = { claim: string; pid: number; since: number; host: string };

/** Whether the process exists, as far as can be told: on another machine it is taken to. */
export function isAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

export function hubRunning(folder: string, holder: Holder | undefined, hubFile: string): HubError {
  const advice =
    "See it with `huddle status`, stop it with `huddle down`, or start another one beside it with its own HUDDLE_HOME.";
  if (holder === undefined) {
    return new HubError("HUB_RUNNING", `Another hub is just starting in ${folder}. ${advice}`, {
      pid: null,
      url: null,
      since: null,
    });
  }
  const { pid, since, host } = holder;
  const hub = readHubFile(hubFile);
  // A hub that was killed leaves its address behind; it is this hub's only next to this hub's pid.
  const url = hub?.pid === pid ? hub.url : null;
  const where = host === hostname() ? "" : ` on ${host}`;
  return new HubError(
    "HUB_RUNNING",
    `A hub already runs in ${folder}: pid ${pid}${where}, ${url === null ? "not answering yet" : `at ${url}`}, ` +
      `since ${new Date(since).toISOString()}. ${advice}`,
    { pid, url, since },
  );
}

/** What went wrong with the lock file itself. */
export function lockUnusable(file: string, error: unknown): HubError {
  if (!(error instanceof SqliteError)) return cannotUse(file, error);
  return new HubError(
    "DATA_UNUSABLE",
    `${file} cannot be locked (${error.message}). ${adviceFor(error.code, file)}`,
    { file },
    { cause: error },
  );
}

function adviceFor(code: string, file: string): string {
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code === "SQLITE_PERM") {
    // SQLite says that it cannot, the system says why.
    const reason = tryToWrite(dirname(file));
    if (reason !== undefined) return storageAdvice(reason, file);
    return `Check who owns it and whether its folder can be written: ls -ld ${file}`;
  }
  if (code === "SQLITE_FULL") return "The disk is full: free some space and start again.";
  if (code.startsWith("SQLITE_IOERR")) {
    return "The disk is full or failing, or cannot lock files: free some space, or point HUDDLE_HOME at a local disk.";
  }
  return `It is no lock file of Huddle's. Make sure that no hub runs here, then remove it: rm ${file}`;
}
