import { constants, type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { isWithin } from "./allowed-roots.js";

/*
 * Files that an agent reads and writes through the hub: inside its project and nowhere else, wherever symbolic links lead.
 * It is no sandbox (the agent's process has the person's rights); it keeps the hub from lending a hand outside.
 */

export type ProjectFiles = {
  /** The text of a file, or `limit` lines of it from line `line` (the first is 1). */
  read(path: string, slice?: { line?: number; limit?: number }): Promise<string>;
  write(path: string, text: string): Promise<void>;
};

export class FileRefused extends Error {
  override readonly name = "FileRefused";
}

const largestFile = 16 * 1024 * 1024;

export async function openProjectFiles(folder: string): Promise<ProjectFiles> {
  const root = await realpath(folder);
  return {
    async read(path, { line = 1, limit } = {}) {
      const file = await open(await existing(root, path), constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const text = await readWhole(file, path);
        if (line <= 1 && limit === undefined) return text;
        const first = Math.max(line, 1) - 1;
        return text
          .split("\n")
          .slice(first, limit === undefined ? undefined : first + limit)
          .join("\n");
      } finally {
        await file.close();
      }
    },
    async write(path, text) {
      if (Buffer.byteLength(text) > largestFile) throw new FileRefused(`${path} would be too large.`);
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;
      const file = await open(await writable(root, path), flags, 0o666);
      try {
        if (!(await file.stat()).isFile()) throw new FileRefused(`${path} is not a plain file.`);
        await file.writeFile(text);
      } finally {
        await file.close();
      }
    },
  };
}

async function readWhole(file: FileHandle, path: string): Promise<string> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new FileRefused(`${path} is not a plain file.`);
  if (stats.size > largestFile) throw new FileRefused(`${path} is larger than ${largestFile} bytes.`);
  return file.readFile("utf8");
}

async function existing(root: string, path: string): Promise<string> {
  const real = await realpath(checked(path));
  if (!isWithin(root, real)) throw outside(path, root);
  return real;
}

/** Where the text goes: the file that a link leads to, or a new one in a folder that is made if need be. */
async function writable(root: string, path: string): Promise<string> {
  const there = await realIfThere(checked(path));
  if (there !== undefined) {
    if (!isWithin(root, there)) throw outside(path, root);
    return there;
  }
  const folder = await nearestFolder(dirname(path));
  if (!isWithin(root, folder.real)) throw outside(path, root);
  const parent = join(folder.real, folder.missing);
  await mkdir(parent, { recursive: true });
  const target = join(parent, basename(path));
  // A link that leads nowhere is not "there", yet opening it would create what it leads to.
  const real = await realpath(parent);
  if (!isWithin(root, real) || (await isLink(target))) throw outside(path, root);
  return target;
}

async function nearestFolder(path: string): Promise<{ real: string; missing: string }> {
  const real = await realIfThere(path);
  if (real !== undefined) return { real, missing: "" };
  const above = await nearestFolder(dirname(path));
  return { real: above.real, missing: join(above.missing, basename(path)) };
}

async function realIfThere(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

function checked(path: string): string {
  if (isAbsolute(path) && !path.includes("\0") && !path.split(sep).includes("..")) return path;
  throw new FileRefused(`"${path}" is not an absolute path; give one without "..".`);
}

function outside(path: string, root: string): FileRefused {
  return new FileRefused(`${path} is outside the project ${root}.`);
}
