import { constants, lstatSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { PlannedWorktree } from "../../model/worktree.js";
import { isWithin, realPath } from "../../runtime/fs/allowed-roots.js";
import { failed } from "../../runtime/git/run-git.js";

/*
 * `worktree.copy`: files of the project that git does not have, such as .env, are copied into a new worktree. Neither end
 * leaves its folder by a link.
 */

type Place = Pick<PlannedWorktree, "project" | "folder" | "path">;

/** Those that are there are copied; what git has put in their place is left alone. */
export async function copyFiles(place: Place, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const from = sourceOf(place, file);
    if (from === undefined) continue;
    const to = join(place.folder, file);
    try {
      await mkdir(dirname(to), { recursive: true });
      if (!isWithin(place.path, realPath(dirname(to)) ?? "/")) continue;
      await copyFile(from, to, constants.COPYFILE_EXCL);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      const why = error instanceof Error ? error.message : String(error);
      throw failed(`${file} of worktree.copy could not be copied into ${place.folder}: ${why}`);
    }
  }
}

/** Copies that nobody has changed, as paths below the worktree: they are no work that could be lost. */
export function unchangedCopies(place: Place, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const from = sourceOf(place, file);
    const to = join(place.folder, file);
    return from !== undefined && isSame(from, to) ? [relative(place.path, to)] : [];
  });
}

function sourceOf({ project }: Place, file: string): string | undefined {
  const real = realPath(join(project, file));
  const root = realPath(project);
  if (real === undefined || root === undefined || !isWithin(root, real)) return undefined;
  return statSync(real).isFile() ? real : undefined;
}

function isSame(from: string, to: string): boolean {
  const info = lstatSync(to, { throwIfNoEntry: false });
  if (info?.isFile() !== true || info.size !== statSync(from).size) return false;
  return readFileSync(from).equals(readFileSync(to));
}
