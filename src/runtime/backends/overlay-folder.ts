import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/*
 * A folder of configuration that is the person's own but for a few files, for CLIs that take configuration from there
 * alone. What it has of theirs are links, so that signing in, sessions and history are shared.
 */
export type Overlay = {
  from: string;
  to: string;
  /** Folders that are made in `from` if they are not there, so that they are shared too. */
  shared: readonly string[];
  /** Files of our own, made of theirs. */
  files: Readonly<Record<string, (theirs: string | undefined) => string>>;
};

export async function makeOverlay({ from, to, shared, files }: Overlay): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await Promise.all(shared.map((name) => mkdir(join(from, name), { recursive: true })));
  const names = await readdir(from).catch(ignore("ENOENT", []));
  await Promise.all(
    names
      .filter((name) => !Object.hasOwn(files, name))
      .map((name) => symlink(join(from, name), join(to, name)).catch(ignore("EEXIST", undefined))),
  );
  for (const [name, make] of Object.entries(files)) {
    const theirs = await readFile(join(from, name), "utf8").catch(ignore("ENOENT", undefined));
    await writePrivately(join(to, name), make(theirs));
  }
}

function ignore<T>(code: string, instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && "code" in error && error.code === code) return instead;
    throw error;
  };
}

/** A file that only the person can read, whatever its mode was before. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
