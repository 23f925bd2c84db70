import { rmSync } from "node:fs";
import { openDatabase } from "../journal/open-database.js";
import { rebuildViews } from "../journal/rebuild.js";
import { requireDriver } from "../journal/sqlite/require-driver.js";
import { systemClock } from "../model/clock.js";
import { createTightViews } from "../views/tight.js";
import { acquireLock } from "./lock.js";
import { ownPaths } from "./run-hub.js";

/** Folds every view anew from the journal, while no hub runs. */
export async function rebuild(onProgress: (folded: number) => void): Promise<{ events: number }> {
  const paths = ownPaths();
  requireDriver();
  const lock = acquireLock(paths.lock, { pid: process.pid, clock: systemClock, hubFile: paths.hubFile });
  try {
    const db = openDatabase(paths.database);
    try {
      const events = rebuildViews(db, Object.values(createTightViews(db)), onProgress);
      db.pragma("wal_checkpoint(TRUNCATE)");
      // The lazy views follow by themselves at the next start.
      for (const file of [paths.views, paths.search]) {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
      }
      return { events };
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}
