import { linkSync, renameSync, rmSync, statSync } from "node:fs";
import { HubError } from "../model/errors.js";
import { openDatabase } from "./open-database.js";
import { isDamage } from "./storage-error.js";

/** What cannot be folded from anything else. */
const TABLES = ["meta", "event", "baseline"];

/**
 * Puts a new file in the place of a damaged one: the events are copied, `finish` makes the rest. The damaged file is kept
 * under the name that is returned. Whatever fails, the file is as it was.
 */
export function replaceDamaged(file: string, now: number, finish: (fresh: string) => void): string {
  const fresh = `${file}.rebuilt`;
  const kept = `${file}.damaged-${new Date(now).toISOString().replaceAll(":", "")}`;
  const clear = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(fresh + suffix, { force: true });
  };
  clear();
  try {
    copyEvents(file, fresh);
    finish(fresh);
    // A log that still holds something belongs to the damaged file, and must not meet the new one.
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw beyondRepair(file);
    linkSync(file, kept);
    renameSync(fresh, file);
    return kept;
  } catch (error) {
    throw isDamage(error) ? beyondRepair(file, error) : error;
  } finally {
    clear();
  }
}

function copyEvents(file: string, fresh: string): void {
  const db = openDatabase(fresh);
  try {
    db.prepare("ATTACH ? AS damaged").run(file);
    db.transaction(() => {
      for (const table of TABLES) {
        db.exec(`DELETE FROM main."${table}"; INSERT INTO main."${table}" SELECT * FROM damaged."${table}"`);
      }
    })();
    db.exec("DETACH damaged");
  } finally {
    db.close();
  }
}

function beyondRepair(file: string, cause?: unknown): HubError {
  return new HubError(
    "DATA_CORRUPT",
    `The events in ${file} are damaged: a rebuild cannot make them again. Nothing was changed. ` +
      "Restore a backup. Without one, start the hub and save what can be read: huddle up; huddle export --out messages.jsonl",
    { file },
    { cause },
  );
}
