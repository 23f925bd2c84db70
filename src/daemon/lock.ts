import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { errorCode } from "../client/storage-advice.js";
import { openSqlite } from "../journal/sqlite/open.js";
import type { Database } from "../journal/sqlite/port.js";
import { SqliteError } from "../journal/sqlite/sqlite-error.js";
import type { Clock } from "../model/clock.js";
import { type Holder, hubRunning, isAlive, lockUnusable } from "./lock-refusal.js";
import { makePrivateFolder } from "./private-file.js";

/*
 * One hub per data directory. The lock is SQLite's own write lock on a tiny file: a lock of the kernel, which frees it
 * however the process ends, so there is no stale lock to clean up.
 *
 *   free → announced → held → free
 *
 * announced: our row says who we are, and is committed, so that others can read it.
 * held: a transaction is open that never writes. It keeps every other writer out and lets readers in.
 *
 * Between the two another process can announce itself, so a holder looks at the row again: if it is not its own, it lets
 * go and starts over, and the other one holds. While the lock is held nobody can change the row, so it names the holder.
 * For the same reason the address, known only later, cannot go into the row: it is in hub.json, next to the same pid.
 *
 * The file is never removed, not even when free: two hubs could then each lock a file of that name. And nothing else in
 * this process may open it: POSIX drops a process's locks when it closes any handle of the file.
 */

type Lock = { release(): void };

type LockOptions = { pid: number; clock: Clock; hubFile: string };

/** A busy lock is waited for this long at each attempt: longer than it takes to announce oneself. */
const BUSY_MS = 100;
const ATTEMPTS = 20;

/** Held locks are kept here too: SQLite closes a connection, and so lets go, once nothing refers to it. */
const held = new Set<Database>();

export function acquireLock(file: string, { pid, clock, hubFile }: LockOptions): Lock {
  const me: Holder = { claim: randomUUID(), pid, since: clock.wall(), host: hostname() };
  let db: Database | undefined;
  try {
    db = openLockFile(file);
    for (let attempt = 1; ; attempt++) {
      const outcome = tryToHold(db, me);
      if (outcome === "held") return keep(db);
      const holder = readHolder(db);
      // A row of ours, or of a process that is gone, is not the holder's: someone is just announcing itself.
      const isHolder = holder !== undefined && holder.claim !== me.claim && isAlive(holder);
      if ((outcome === "busy" && isHolder) || attempt === ATTEMPTS) {
        throw hubRunning(dirname(file), holder, hubFile);
      }
    }
  } catch (error) {
    db?.close();
    throw lockUnusable(file, error);
  }
}

function openLockFile(file: string): Database {
  makePrivateFolder(dirname(file));
  try {
    // SQLite would let others read it. Only a new file is opened here: see above about handles.
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return openSqlite(file, { timeout: BUSY_MS });
}

function tryToHold(db: Database, me: Holder): "held" | "overtaken" | "busy" {
  try {
    // Not WAL: there, the write lock would be on another file.
    db.pragma("journal_mode = DELETE");
    announce(db, me);
    db.exec("BEGIN IMMEDIATE");
    if (readHolder(db)?.claim === me.claim) return "held";
    db.exec("ROLLBACK");
    return "overtaken";
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    if (isBusy(error)) return "busy";
    throw error;
  }
}

function announce(db: Database, me: Holder): void {
  db.transaction(() => {
    db.exec("CREATE TABLE IF NOT EXISTS holder (claim TEXT, pid INTEGER, since INTEGER, host TEXT)");
    db.exec("DELETE FROM holder");
    db.prepare("INSERT INTO holder VALUES (@claim, @pid, @since, @host)").run(me);
  }).immediate();
}

function readHolder(db: Database): Holder | undefined {
  try {
    return db.prepare<[], Holder>("SELECT claim, pid, since, host FROM holder").get();
  } catch (error) {
    // The very first process is still making the table.
    const isNew = error instanceof SqliteError && error.message.startsWith("no such table");
    if (isNew || isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Closing ends the open transaction, and with it the lock. */
function keep(db: Database): Lock {
  held.add(db);
  return {
    release() {
      held.delete(db);
      db.close();
    },
  };
}
