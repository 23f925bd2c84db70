import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** The real path of a folder, if it is one of the roots or in one, wherever symbolic links lead. */
export function findInRoots(folder: string, roots: readonly string[]): string | undefined {
  const real = realPath(folder);
  if (real === undefined) return undefined;
  const isAllowed = roots.some((root) => {
    const realRoot = realPath(root);
    return realRoot !== undefined && isWithin(realRoot, real);
  });
  return isAllowed ? real : undefined;
}

/** Whether a path leads to a folder or into it; both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
