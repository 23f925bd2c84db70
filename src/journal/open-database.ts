import { existsSync, statSync } from "node:fs";
import { HubError } from "../model/errors.js";
import { migrate, refuseNewer } from "./migrate.js";
import { openSqlite } from "./sqlite/open.js";
import type { Database } from "./sqlite/port.js";
import { SqliteError } from "./sqlite/sqlite-error.js";

/** Opens the journal's file as its one writer: WAL, a full fsync before any answer, checkpoints left to the worker. */
export function openDatabase(file: string): Database {
  let db: Database | undefined;
  try {
    lookFirst(file);
    db = openSqlite(file);
    db.pragma("journal_mode = WAL");
    // The first commit after the migrations brings them to the disk too; lost before that, they are made again.
    db.pragma("synchronous = NORMAL");
    db.pragma("wal_autocheckpoint = 0");
    db.pragma("cache_size = -16000");
    // Without it, macOS answers an fsync before the disk has the data.
    if (process.platform === "darwin") db.pragma("fullfsync = 1");
    migrate(db);
    db.pragma("synchronous = FULL");
    return db;
  } catch (error) {
    db?.close();
    throw explainDatabaseError(error, file);
  }
}

/** Without the right to write: a writer would change a newer Huddle's file merely by opening and closing it. */
function lookFirst(file: string): void {
  if (!existsSync(file)) return;
  if (!statSync(file).isFile()) {
    throw new HubError(
      "DATA_UNUSABLE",
      `${file} is not a file. Move it away: it is where the journal belongs.`,
      { file },
    );
  }
  const db = openSqlite(file, { readonly: true });
  try {
    refuseNewer(db);
  } finally {
    db.close();
  }
}

/** What SQLite's error means for the person whose file it is. */
export function explainDatabaseError(error: unknown, file: string): unknown {
  if (!(error instanceof SqliteError)) return error;
  const { code } = error;
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) {
    return new HubError(
      "DATA_CORRUPT",
      `${file} is not a readable Huddle database (${error.message}). Nothing was changed. ` +
        "Move it aside and restore a backup. Without one, huddle rebuild repairs damage outside the journal's events, " +
        "or start afresh without the file.",
      { file },
      { cause: error },
    );
  }
  if (code.startsWith("SQLITE_READONLY") || code === "SQLITE_CANTOPEN" || code === "SQLITE_PERM") {
    return new HubError(
      "DATA_UNUSABLE",
      `${file} cannot be opened for writing (${error.message}). Check who owns it and its permissions: ` +
        `ls -l ${file}`,
      { file },
      { cause: error },
    );
  }
  if (code === "SQLITE_FULL" || code.startsWith("SQLITE_IOERR")) {
    return new HubError(
      "STORAGE_FULL",
      `${file} cannot be written: the disk is full or failing (${error.message}). Free some space and start again.`,
      { file },
      { cause: error },
    );
  }
  return error;
}
