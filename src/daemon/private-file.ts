import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { storageAdvice } from "../client/storage-advice.js";
import { HubError } from "../model/errors.js";

/** Makes a folder, and those above it, that only this user can enter. One that exists is left as it is. */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw cannotUse(folder, error);
  }
}

/** Whoever can write a folder can put other files in place of the hub's: its secrets, its database, its configuration. */
export function refuseOpenFolder(folder: string): void {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  // Windows has no such permission bits.
  if (process.geteuid === undefined || (mode & 0o022) === 0) return;
  throw new HubError(
    "DATA_UNUSABLE",
    `${folder} can be written by other users (mode ${(mode & 0o777).toString(8)}). Close it: chmod 700 ${folder}`,
    { file: folder },
  );
}

/**
 * Writes a new file beside `file` that only this user can read, hands its name to `place`, which renames or links it
 * to its own, and leaves nothing behind. So nobody ever meets half a file.
 */
export function placePrivateFile(file: string, text: string, place: (fresh: string) => void): void {
  makePrivateFolder(dirname(file));
  const fresh = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeNew(fresh, text);
    place(fresh);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** What the system says to a new file in a folder; undefined if it can be made. */
export function tryToWrite(folder: string): unknown {
  const file = join(folder, `.try.${process.pid}.${randomBytes(6).toString("hex")}`);
  try {
    writeNew(file, "");
    rmSync(file);
    return undefined;
  } catch (error) {
    return error;
  }
}

function writeNew(file: string, text: string): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    // The umask may have taken more away than it should.
    fchmodSync(handle, 0o600);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A failure of the file system, as a refusal that says what to look at. */
export function cannotUse(path: string, error: unknown): HubError {
  if (error instanceof HubError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new HubError(
    "DATA_UNUSABLE",
    `${path} cannot be used (${reason}). ${storageAdvice(error, path)}`,
    { file: path },
    { cause: error },
  );
}
