import { rmSync } from "node:fs";
import { openDatabase } from "../journal/open-database.js";
import { rebuildViews } from "../journal/rebuild.js";
import { replaceDamaged } from "../journal/replace-damaged.js";
import { requireDriver } from "../journal/sqlite/require-driver.js";
import { isDamage } from "../journal/storage-error.js";
import { systemClock } from "../model/clock.js";
import { createTightViews } from "../views/tight.js";
import { acquireLock } from "./lock.js";
import { ownPaths } from "./own-paths.js";

type Rebuilt = { events: number; damaged?: string };

/** Folds every view again from the journal, while no hub runs. */
export async function rebuild(onProgress: (folded: number) => void): Promise<Rebuilt> {
  const paths = ownPaths();
  requireDriver();
  const lock = acquireLock(paths.lock, { pid: process.pid, clock: systemClock, hubFile: paths.hubFile });
  try {
    const rebuilt = rebuildFile(paths.database, onProgress);
    // The lazy views follow by themselves at the next start.
    for (const file of [paths.views, paths.search]) {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    }
    return rebuilt;
  } finally {
    lock.release();
  }
}

function rebuildFile(file: string, onProgress: (folded: number) => void): Rebuilt {
  try {
    return { events: foldAnew(file, onProgress) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    // The rows of a damaged view cannot even be deleted.
    let events = 0;
    const damaged = replaceDamaged(file, systemClock.wall(), (fresh) => {
      events = foldAnew(fresh, onProgress);
    });
    return { events, damaged };
  }
}

function foldAnew(file: string, onProgress: (folded: number) => void): number {
  const db = openDatabase(file);
  try {
    const events = rebuildViews(db, Object.values(createTightViews(db)), onProgress);
    db.pragma("wal_checkpoint(TRUNCATE)");
    return events;
  } finally {
    db.close();
  }
}
