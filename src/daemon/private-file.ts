import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { HubError } from "../model/errors.js";

/** Makes a folder, and those above it, that only this user can enter. One that exists is left as it is. */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw cannotUse(folder, error);
  }
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

export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** A failure of the file system, as a refusal that says what to look at. */
export function cannotUse(path: string, error: unknown): HubError {
  if (error instanceof HubError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new HubError(
    "DATA_UNUSABLE",
    `${path} cannot be used (${reason}). ${adviceFor(errorCode(error), path)}`,
    { file: path },
    { cause: error },
  );
}

function adviceFor(code: unknown, path: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: free some space and start again.";
    case "EROFS":
      return "The disk is read-only: point HUDDLE_HOME at a folder that can be written.";
    default:
      return `Check who owns it and its permissions (ls -ld ${path}), or point HUDDLE_HOME at another folder.`;
  }
}
