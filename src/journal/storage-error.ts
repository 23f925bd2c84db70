import { HubError } from "../model/errors.js";
import { SqliteError } from "./sqlite/sqlite-error.js";

/** Of the disk, rather than of our own making: a broken constraint is a bug, not a full disk. */
export function isStorage(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(error.code);
}

export function isDamage(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** After these nothing may be stored any more: the hub stops. */
export function isFatal({ code }: HubError): boolean {
  return code === "OUTCOME_UNKNOWN" || code === "DATA_UNUSABLE";
}

/** Nothing was stored, and the next one may be: there is no room, or the disk refused before the commit. */
export function storageError(error: unknown): HubError {
  if (error instanceof HubError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const isFull = error instanceof SqliteError && error.code === "SQLITE_FULL";
  return new HubError(
    "STORAGE_FULL",
    `The hub could not write to its disk (${detail}); nothing was stored. ` +
      `${isFull ? "Free some space" : "Check the disk and its free space"} and send it again.`,
    {},
    { cause: error },
  );
}

/** Out of space, the commit record was never written whole. Any other failure may have left it on disk. */
export function commitError(error: unknown): HubError {
  if (error instanceof SqliteError && error.code === "SQLITE_FULL") return storageError(error);
  return new HubError(
    "OUTCOME_UNKNOWN",
    "The disk reported an error while storing this; it may or may not be stored. " +
      "The hub stops now. Once it is back, send again with the same id: it is stored at most once.",
    {},
    { cause: error },
  );
}

/** For a hub that runs: what is readable can still be saved. */
export function damaged(file: string, reason: string, cause?: unknown): HubError {
  return new HubError(
    "DATA_CORRUPT",
    `${file} is damaged (${reason}). What does not touch the damage still works, but do not rely on it. ` +
      "Save what can be read: huddle export --out messages.jsonl. Then stop the hub (huddle down) and restore a backup; " +
      "without one, huddle rebuild repairs damage outside the journal's events.",
    { file },
    { cause },
  );
}
