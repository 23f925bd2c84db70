// Compiles TypeScript into a folder that is replaced as a whole: whoever runs from it never meets half a build,
// and outputs of deleted sources do not linger.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { listFiles } from "./list-files.mjs";

/**
 * @typedef {object} Target
 * @property {string} project  the tsconfig file
 * @property {string} rootDir  the folder that outDir mirrors
 * @property {string} outDir   the folder that is replaced
 * @property {string} entry    the executable in outDir; its mtime says when the build began
 * @property {string[]} inputs files and folders whose change makes outDir stale
 * @property {(folder: string) => Promise<void>} [finish] adds to the new folder before it is put in place
 */

/** @param {Target} target */
export function isStale({ outDir, entry, inputs }) {
  const built = statSync(join(outDir, entry), { throwIfNoEntry: false });
  return built === undefined || newestChange(inputs) > built.mtimeMs;
}

/** @param {Target} target @returns {Promise<boolean>} whether it succeeded; the compiler has printed why not */
export async function compile({ project, rootDir, outDir, entry, finish }) {
  const beganAt = new Date();
  const fresh = join(".cache", `new-${process.pid}`);
  try {
    const { status } = spawnSync(
      process.execPath,
      [findCompiler(), "--project", project, "--outDir", fresh],
      {
        stdio: "inherit",
      },
    );
    if (status !== 0) return false;
    copySql(rootDir, fresh);
    await finish?.(fresh);
    chmodSync(join(fresh, entry), 0o755);
    utimesSync(join(fresh, entry), beganAt, beganAt);
    replaceFolder(outDir, fresh);
    return true;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  } catch {
    console.error(
      "TypeScript is not installed, so nothing can be built. Run `npm ci` first, with dev dependencies.",
    );
    process.exit(1);
  }
}

/** @param {string} rootDir @param {string} outDir */
function copySql(rootDir, outDir) {
  for (const path of listFiles(["src"], /\.sql$/)) {
    const copy = join(outDir, relative(rootDir, path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(path, copy);
  }
}

/** @param {string} outDir @param {string} fresh */
function replaceFolder(outDir, fresh) {
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
