import { chmod, mkdir, open, readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { parseJson } from "../../model/parse-json.js";
import { rotateFiles } from "./rotate-files.js";

/*
 * A log file that knows how far in the journal it is. Beside it, `.cursor` holds the last event that it has and how long
 * it was then: lines after that were written just before a crash and are cut off, since they come again. It is saved
 * after the lines and before a rotation, so a crash between any two steps neither loses a line nor repeats one.
 */

export type CommsFile = {
  /** The last event whose lines are in the file. */
  place(): number;
  /** Appends the lines of all events up to `seq`. On failure the file is as it was, and so is the place. */
  append(text: string, seq: number): Promise<void>;
};

export type CommsFileOptions = { file: string; maxBytes: number; files: number };

const cursorSchema = z.object({ seq: z.number(), bytes: z.number(), inode: z.number() });
type Cursor = z.infer<typeof cursorSchema>;

export async function openCommsFile({ file, maxBytes, files }: CommsFileOptions): Promise<CommsFile> {
  const cursorFile = `${file}.cursor`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const saved = await readCursor(cursorFile);
  await cutBack(file, saved);
  let place = saved?.seq ?? 0;

  async function append(text: string, seq: number): Promise<void> {
    const before = await sizeOf(file); // Somebody may have emptied or moved it: we go on where it is now.
    try {
      const bytes = text === "" ? before : await write(text);
      await saveCursor({ seq, bytes, inode: (await stat(file).catch(ignoreMissing))?.ino ?? 0 });
      place = seq;
      if (bytes >= maxBytes) rotateFiles(file, files);
    } catch (error) {
      // A full disk may take half a line.
      if (place !== seq) await truncate(file, before).catch(() => {});
      throw error;
    }
  }

  async function write(text: string): Promise<number> {
    const handle = await open(file, "a", 0o600);
    try {
      await handle.writeFile(text);
      return (await handle.stat()).size;
    } finally {
      await handle.close();
    }
  }

  async function saveCursor(cursor: Cursor): Promise<void> {
    const fresh = `${cursorFile}.new`;
    await writeFile(fresh, JSON.stringify(cursor), { mode: 0o600 });
    await rename(fresh, cursorFile);
  }

  return { place: () => place, append };
}

/** Cuts off what was written after the cursor was saved. A file that somebody else put there is left alone. */
async function cutBack(file: string, saved: Cursor | undefined): Promise<void> {
  const found = await stat(file).catch(ignoreMissing);
  if (found?.isFile() !== true) return;
  await chmod(file, 0o600);
  if (saved?.inode === found.ino && saved.bytes < found.size) await truncate(file, saved.bytes);
}

async function readCursor(file: string): Promise<Cursor | undefined> {
  const text = await readFile(file, "utf8").catch(ignoreMissing);
  // None yet, or half of one: the log starts over.
  return cursorSchema.safeParse(parseJson(text ?? "")).data;
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(ignoreMissing))?.size ?? 0;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
