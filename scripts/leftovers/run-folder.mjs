// The folders of a run: /tmp/hud-PID-random, and one of the same name in memory. Whoever names one is of that run; network namespaces of
// tests begin alike. The pid says whether the run is still going on.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { listMounts, unmount } from "./mounts.mjs";

/** A tmux socket's path has at most about a hundred characters. */
const LONGEST = 30;

/** @typedef {{ disk: string, memory: string }} RunFolders */

/** @returns {RunFolders} */
export function makeRunFolders() {
  const disk = mkdtempSync(join(tmpdir().length > LONGEST ? "/tmp" : tmpdir(), `hud-${process.pid}-`));
  const memory = existsSync("/dev/shm") ? join("/dev/shm", basename(disk)) : join(disk, "memory");
  mkdirSync(memory);
  return { disk, memory };
}

/**
 * Whether it names what belongs to a process that still runs: another run's folder, or a network namespace of its.
 * @param {string} text
 */
export function namesLivingRun(text) {
  return [...text.matchAll(/\b(?:hud|children)-(\d+)-/g)].some(([, pid]) => isAlive(Number(pid)));
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Removes a folder of the run. Whatever is still mounted in it is unmounted first, or else the folder stays: what it shows may be another
 * folder of the machine.
 * @param {string} folder
 * @returns {string[]} why it could not be removed
 */
export function removeRunFolder(folder) {
  unmount(folder);
  const mounted = listMounts().find(({ path }) => path.startsWith(`${folder}/`));
  if (mounted !== undefined) return [`Not removed: ${folder}, because ${mounted.path} is still mounted`];
  try {
    rmSync(folder, { recursive: true, force: true });
    return [];
  } catch (error) {
    return [`Not removed: ${folder} (${error instanceof Error ? error.message : String(error)})`];
  }
}
