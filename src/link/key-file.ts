import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { HubError } from "../model/errors.js";

const LONGEST = 4096;

/**
 * The text of a file that only this user can read, made on first use. It is the only copy, so one that others can reach is
 * refused, and none is ever replaced. No message contains any of it.
 */
export function ensureKeyFile(file: string, make: () => string): string {
  try {
    return readKeyFile(file) ?? createKeyFile(file, make());
  } catch (error) {
    if (error instanceof HubError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new HubError(
      "DATA_UNUSABLE",
      `${file} cannot be used (${reason}). Check who owns it and its permissions, and that the disk has room`,
      { file },
      { cause: error },
    );
  }
}

function createKeyFile(file: string, text: string): string {
  const fresh = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeNew(fresh, text);
    // A link, unlike a rename, never replaces: of two that start at once, both read what the first one made.
    linkSync(fresh, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  const made = readKeyFile(file);
  if (made === undefined)
    throw new HubError("DATA_UNUSABLE", `${file} was removed while it was made`, { file });
  return made;
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

function readKeyFile(file: string): string | undefined {
  const handle = openIfThere(file);
  if (handle === undefined) return undefined;
  try {
    // The opened file is looked at, not the path: nobody can swap it in between.
    checkAccess(file, fstatSync(handle));
    const buffer = Buffer.alloc(LONGEST);
    return buffer.toString("latin1", 0, readSync(handle, buffer));
  } finally {
    closeSync(handle);
  }
}

function openIfThere(file: string): number | undefined {
  try {
    // Non-blocking, or a named pipe in its place would hold the hub up forever.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function checkAccess(file: string, stats: Stats): void {
  const refuse = (problem: string) => new HubError("DATA_UNUSABLE", `${file} ${problem}`, { file });
  if (!stats.isFile()) throw refuse("is not a file. Move it away to get a new one at the next start.");
  // Windows has neither owners by number nor these permission bits.
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (stats.uid !== user) throw refuse(`belongs to user ${stats.uid}, and this is user ${user}.`);
  if ((stats.mode & 0o077) === 0) return;
  throw refuse(
    `holds a key that other users can reach (mode ${(stats.mode & 0o777).toString(8)}). Close it: chmod 600 ${file}`,
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
