import { existsSync, renameSync, rmSync } from "node:fs";
import { readHubFile } from "../../client/hub-file.js";
import { systemClock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import { acquireLock } from "../lock.js";
import type { Place } from "./place.js";

/** Whether a hub could take the folder. Of one that answers there is nothing to ask. */
export function checkLock({ paths, isUp }: Place): Finding[] {
  if (isUp) return [];
  const holder = tryLock(paths);
  if (holder !== undefined) return [holder];
  const left = existsSync(paths.hubFile) ? readHubFile(paths.hubFile) : undefined;
  if (left === undefined) return [{ check: "lock", state: "ok", text: "No other hub holds the data folder" }];
  return [
    {
      check: "lock",
      state: "problem",
      text: `A hub that was killed (pid ${left.pid}) left ${paths.hubFile} behind`,
      fix: `rm ${paths.hubFile}`,
      repair: () => rmSync(paths.hubFile, { force: true }),
    },
  ];
}

function tryLock({ lock, hubFile }: Place["paths"]): Finding | undefined {
  // Trying would make it.
  if (!existsSync(lock)) return undefined;
  try {
    acquireLock(lock, { pid: process.pid, clock: systemClock, hubFile }).release();
    return undefined;
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return explain(error, lock);
  }
}

function explain({ code, message, details }: HubError, lock: string): Finding {
  const { pid } = details;
  if (code === "HUB_RUNNING") {
    const text = `A hub holds the data folder and does not answer (pid ${typeof pid === "number" ? pid : "unknown"})`;
    return {
      check: "lock",
      state: "problem",
      text,
      fix: typeof pid === "number" ? `kill ${pid}` : "huddle down",
    };
  }
  const aside = `${lock}.old`;
  return {
    check: "lock",
    state: "problem",
    // What follows is the advice that the fix stands for.
    text: message.split(". ")[0] ?? message,
    fix: `mv ${lock} ${aside}`,
    // A file that is none of SQLite's locks nobody out.
    ...(code === "DATA_UNUSABLE" && /no lock file/.test(message)
      ? { repair: () => renameSync(lock, aside) }
      : {}),
  };
}
