import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { HubError } from "../model/errors.js";

/** A configuration as it lies on the disk; without a text there is none yet. */
export type ConfigFile = { file: string; text: string | undefined; mode: number };

/** For files that are made: what is in them may be a secret. */
const PRIVATE = 0o600;

/** Reads it, and refuses one that must not be written: nothing is begun that could not be finished. */
export function readConfigFile(file: string): ConfigFile {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    refuseLockedFolder(file, nearestFolder(dirname(file)));
    return { file, text: undefined, mode: PRIVATE };
  }
  if (stats.isSymbolicLink()) {
    throw unusable(file, `is a symbolic link to ${readlinkSync(file)}, and Huddle writes through none`);
  }
  if (!stats.isFile()) throw unusable(file, "is not a file");
  const user = process.geteuid?.();
  if (user !== undefined && stats.uid !== user)
    throw unusable(file, `belongs to user ${stats.uid}, and this is user ${user}`);
  if ((stats.mode & 0o200) === 0) throw unusable(file, "is read-only", `Make it writable: chmod u+w ${file}`);
  refuseLockedFolder(file, dirname(file));
  return { file, text: readText(file), mode: stats.mode & 0o7777 };
}

/**
 * Whole or not at all, with its permissions. `expected` is what it was made from: what a CLI that runs has written meanwhile is
 * not overwritten.
 */
export function writeConfigFile({ file, text: expected, mode }: ConfigFile, text: string): void {
  const fresh = join(dirname(file), `.${basename(file)}.${process.pid}.${randomBytes(6).toString("hex")}`);
  try {
    makeFolder(dirname(file));
    writeNew(fresh, text, mode);
    if ((existsSync(file) ? readText(file) : undefined) !== expected)
      throw unusable(file, "was changed by another program just now", "Run the command again.");
    renameSync(fresh, file);
  } catch (error) {
    if (error instanceof HubError) throw error;
    throw unusable(file, `cannot be written (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function writeNew(file: string, text: string, mode: number): void {
  const handle = openSync(file, "wx", mode);
  try {
    // The umask may have taken more away than it should.
    fchmodSync(handle, mode);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw unusable(file, `cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw unusable(file, "is not UTF-8");
  return text;
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function refuseLockedFolder(file: string, folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw unusable(file, `cannot be written: ${folder} is closed to you`, `See: ls -ld ${folder}`);
  }
}

export function unusable(file: string, problem: string, hint?: string): HubError {
  return new HubError("FILE_UNUSABLE", `${file} ${problem}`, {
    file,
    hint: hint ?? "Nothing was written. `huddle connect --print` shows what belongs there.",
  });
}
