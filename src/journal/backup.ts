import { randomBytes } from "node:crypto";
import { constants, statSync } from "node:fs";
import { access, chmod, link, open, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { Worker } from "node:worker_threads";
import { HubError } from "../model/errors.js";
import type { Database } from "./sqlite/port.js";

export type BackedUp = { file: string; bytes: number; events: number; seq: number };

const FLUSH_BYTES = 16 * 1024 * 1024;
const LOOK_MS = 20;

/**
 * Copies the database into a new file, while commits go on. The copy is the journal as of one moment since it was asked
 * for. The file appears only after the copy was read and verified.
 */
export async function backUp(db: Database, file: string): Promise<BackedUp> {
  await checkTarget(file);
  const partial = `${file}.${randomBytes(6).toString("hex")}.partial`;
  try {
    await copy(db, partial);
    await chmod(partial, 0o600);
    const { events, seq } = await verify(partial);
    await flush(partial);
    await giveName(partial, file);
    await flush(dirname(file));
    return { file, events, seq, bytes: (await stat(file)).size };
  } catch (error) {
    throw explain(file, error);
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(partial + suffix, { force: true });
  }
}

/** Flushed as it grows, aside: SQLite syncs the file at its end, and must find little left that others would wait for. */
async function copy(db: Database, partial: string): Promise<void> {
  let flushed = 0;
  let flushing: Promise<void> | undefined;
  const isAhead = () => sizeOf(partial) - flushed >= FLUSH_BYTES;
  const timer = setInterval(() => {
    if (flushing !== undefined || !isAhead()) return;
    const size = sizeOf(partial);
    flushing = flush(partial)
      .catch(() => {}) // Its own sync will say so.
      .finally(() => {
        flushed = size;
        flushing = undefined;
      });
  }, LOOK_MS);
  try {
    await db.backup(partial, () => flushing !== undefined && isAhead());
    await flushing;
  } finally {
    clearInterval(timer);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function checkTarget(file: string): Promise<void> {
  if (!isAbsolute(file)) {
    throw new HubError(
      "FILE_UNUSABLE",
      `"${file}" is not an absolute path; the hub has a folder of its own`,
      { file },
    );
  }
  if (await exists(file)) throw alreadyThere(file);
  const folder = dirname(file);
  try {
    if (!(await stat(folder)).isDirectory())
      throw new HubError("FILE_UNUSABLE", `${folder} is not a folder`, { file });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explain(file, error);
  }
}

/** Never over a file that came in between; where there are no hard links, as nearly as can be. */
async function giveName(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    if (await exists(file)) throw alreadyThere(file);
    await rename(partial, file);
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** In a thread of its own: reading all of a large file takes seconds. */
function verify(file: string): Promise<{ events: number; seq: number }> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./verify-worker.js", import.meta.url), { workerData: { file } });
    worker.once("message", (found: { events: number; seq: number } | { problem: string }) => {
      if ("problem" in found) reject(new Error(`the copy is not sound: ${found.problem}`));
      else resolve(found);
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the copy could not be verified")));
  });
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function alreadyThere(file: string): HubError {
  return new HubError("FILE_EXISTS", `${file} exists already; choose another name, or remove it first`, {
    file,
  });
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof HubError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  switch (code) {
    case "EEXIST":
      return alreadyThere(file);
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      return new HubError(
        "STORAGE_FULL",
        `There is no room for ${file} (${reason})`,
        { file },
        { cause: error },
      );
    case "ENOENT":
    case "ENOTDIR":
      return new HubError(
        "FILE_UNUSABLE",
        `The folder ${dirname(file)} does not exist`,
        { file },
        { cause: error },
      );
    default:
      return new HubError(
        "FILE_UNUSABLE",
        `${file} cannot be written (${reason})`,
        { file },
        { cause: error },
      );
  }
}
