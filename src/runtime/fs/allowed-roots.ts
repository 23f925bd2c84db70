import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

/** The real path of a project folder, if it is in one of the roots, wherever symbolic links lead. `~` is `home`. */
export async function findInRoots(
  folder: string,
  roots: readonly string[],
  home: string,
): Promise<string | undefined> {
  if (!isAbsolute(folder)) return undefined;
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return undefined;
  for (const root of roots) {
    const realRoot = await realpath(expandHome(root, home)).catch(() => undefined);
    if (realRoot !== undefined && isWithin(realRoot, real)) return real;
  }
  return undefined;
}

function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}

/** Whether a path leads to a folder or into it; both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
