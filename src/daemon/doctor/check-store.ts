import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { checkPages } from "../../journal/check-pages.js";
import { refuseNewer } from "../../journal/migrate.js";
import { explainDatabaseError } from "../../journal/open-database.js";
import { openSqlite } from "../../journal/sqlite/open.js";
import { requireDriver } from "../../journal/sqlite/require-driver.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import { findProblems } from "../../model/health-problems.js";
import type { Place } from "./place.js";

/** Every page of the journal is read. A hub that runs has done that itself. */
export async function checkStore({ paths, isUp }: Place): Promise<Finding[]> {
  try {
    requireDriver();
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const fix = /: (npm install .*)$/.exec(error.message)?.[1] ?? "npm install -g huddle";
    return [{ check: "store", state: "problem", text: error.message, fix }];
  }
  if (isUp) return [];
  const { database } = paths;
  if (!existsSync(database)) return [{ check: "store", state: "ok", text: "No messages yet" }];
  try {
    look(database);
    await readPages(database);
    return [{ check: "store", state: "ok", text: `The journal is sound (${sizeOf(database)})` }];
  } catch (error) {
    const explained = explainDatabaseError(error, database);
    if (!(explained instanceof HubError)) throw explained;
    const fix =
      explained.code === "DATA_NEWER"
        ? "npm install -g huddle@latest"
        : explained.code === "DATA_CORRUPT"
          ? "huddle rebuild"
          : `ls -l ${database}`;
    return [{ check: "store", state: "problem", text: explained.message, fix }];
  }
}

/** The thread that reads does not keep a process from ending. */
async function readPages(file: string): Promise<void> {
  const alive = setInterval(() => {}, 1000);
  try {
    await checkPages(file, new AbortController().signal);
  } finally {
    clearInterval(alive);
  }
}

function look(file: string): void {
  const db = openSqlite(file, { readonly: true });
  try {
    refuseNewer(db);
  } finally {
    db.close();
  }
}

function sizeOf(file: string): string {
  return `${(statSync(file).size / 1e6).toFixed(1)} MB`;
}

/** The room that is left where the journal is, or will be. */
export function checkDisk({ paths, config, isUp }: Place): Finding[] {
  if (isUp || config === undefined) return [];
  const { bavail, bsize } = statfsSync(nearest(paths.data));
  const disk = { free_bytes: bavail * bsize, reserve_bytes: config.journal.reserve };
  const ofOthers = {
    hub: undefined,
    views: [],
    limits: [],
    missing: [],
    links: undefined,
    peers: [],
    now: 0,
  };
  const [problem] = findProblems({ ...ofOthers, disk });
  if (problem === undefined)
    return [{ check: "disk", state: "ok", text: `${Math.floor(disk.free_bytes / 1e9)} GB free` }];
  return [
    {
      check: "disk",
      state: "problem",
      text: `${problem.text}. ${problem.next}`,
      fix: "huddle prune --before 30d",
    },
  ];
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
