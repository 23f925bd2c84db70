import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

/** One file of the desk, in every form in which it was built. */
export type DeskFile = { type: string; plain: Buffer; br?: Buffer; gzip?: Buffer };

/** What the build made of the desk: its page, and what that loads from `/assets/`, by name. */
type DeskBuild = { page: string; assets: ReadonlyMap<string, DeskFile> };

/** The desk as it was built; undefined if it is not there. Read as a whole when it is first wanted, and kept. */
export type DeskFiles = { load(): Promise<DeskBuild | undefined> };

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * A page and its parts are of one build, also if an upgrade replaces the folder under a hub that runs: so all of it is read at
 * once. What is not among it is not there: no path of a request ever reaches the disk.
 */
export function createDeskFiles(folder: string): DeskFiles {
  let build: Promise<DeskBuild | undefined> | undefined;
  return {
    async load() {
      build ??= readBuild(folder);
      try {
        const found = await build;
        // Somebody may build it now.
        if (found === undefined) build = undefined;
        return found;
      } catch (error) {
        build = undefined;
        throw error;
      }
    },
  };
}

/** One file after the other: a hub that is short of file handles needs a single one. */
async function readBuild(folder: string): Promise<DeskBuild | undefined> {
  const assets = join(folder, "assets");
  let page: string;
  let names: string[];
  try {
    page = await readFile(join(folder, "index.html"), "utf8");
    names = await readdir(assets);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const files = new Map<string, DeskFile>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const plain = await readFile(join(assets, name));
    const br = names.includes(`${name}.br`) ? await readFile(join(assets, `${name}.br`)) : undefined;
    const gzip = names.includes(`${name}.gz`) ? await readFile(join(assets, `${name}.gz`)) : undefined;
    files.set(name, {
      type,
      plain,
      ...(br === undefined ? {} : { br }),
      ...(gzip === undefined ? {} : { gzip }),
    });
  }
  return { page, assets: files };
}
