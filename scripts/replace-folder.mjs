// Fills a folder that is replaced as a whole: whoever runs from it never meets half a build, and outputs of deleted
// sources do not linger.
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Target
 * @property {string} outDir   the folder that is replaced
 * @property {string} entry    the executable in outDir; its mtime says when the build began
 * @property {string[]} inputs files and folders whose change makes outDir stale
 * @property {(folder: string) => Promise<boolean>} fill writes the new folder, and says whether it succeeded
 */

/** @param {Target} target */
export function isStale({ outDir, entry, inputs }) {
  const built = statSync(join(outDir, entry), { throwIfNoEntry: false });
  return built === undefined || newestChange(inputs) > built.mtimeMs;
}

/** @param {Target} target @returns {Promise<boolean>} whether it was filled; otherwise the old folder is still there */
export async function replaceFolder({ outDir, entry, fill }) {
  const beganAt = new Date();
  const fresh = join(".cache", `new-${process.pid}`);
  try {
    mkdirSync(fresh, { recursive: true });
    if (!(await fill(fresh))) return false;
    chmodSync(join(fresh, entry), 0o755);
    utimesSync(join(fresh, entry), beganAt, beganAt);
    putInPlace(outDir, fresh);
    return true;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** @param {string} outDir @param {string} fresh */
function putInPlace(outDir, fresh) {
  const old = join(".cache", `old-${process.pid}`);
  // Another build may put its folder in place between our two renames; then ours replaces that one.
  for (;;) {
    renameIfPossible(outDir, old, "ENOENT");
    const replaced = renameIfPossible(fresh, outDir, "ENOTEMPTY");
    rmSync(old, { recursive: true, force: true });
    if (replaced) return;
  }
}

/** @param {string} from @param {string} to @param {string} expected the error code that only means "no" */
function renameIfPossible(from, to, expected) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === expected) return false;
    throw error;
  }
}

/** Folders count too: deleting a file changes only its folder. @param {string[]} paths @returns {number} */
function newestChange(paths) {
  const times = paths.map((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 0;
    if (!stats.isDirectory()) return stats.mtimeMs;
    return Math.max(stats.mtimeMs, newestChange(readdirSync(path).map((name) => join(path, name))));
  });
  return Math.max(0, ...times);
}
