// Which processes are a run's leftovers. A process is one if it
// - names a folder of the run in its arguments, its environment, its working folder or its program; or else it was not there before, nobody
//   who was there before started it, it is no other run's, and it
// - lost its parent and has arguments that name the checkout (in CI whatever its parent), or
// - listens on a port, and lost its parent in the checkout (in CI wherever it is).
// Who loses its parent gets PID 1, or whoever above the run adopts orphans, as a person's systemd or a container's supervisor does.
import { sep } from "node:path";
import { namesLivingRun } from "./run-folder.mjs";

/**
 * @typedef {import("./processes.mjs").Process} Process
 * @typedef {object} Run
 * @property {string[]} folders       the run's own
 * @property {string} project         the checkout
 * @property {boolean} isStrict       in CI: nobody else is at work on this machine
 * @property {Set<number>} own        the process that judges, and those above it
 * @property {Set<string>} before     the keys of the processes that were there before
 */

/**
 * The leftovers, and whether each certainly is one, and may be ended.
 * @param {readonly Process[]} processes
 * @param {Run} run
 * @returns {{ process: Process, isCertain: boolean }[]}
 */
export function leftProcesses(processes, run) {
  const byPid = new Map(processes.map((process) => [process.pid, process]));
  return processes.flatMap((process) => {
    if (run.own.has(process.pid)) return [];
    if (run.folders.some((folder) => names(process, folder))) return [{ process, isCertain: true }];
    const isOthers = run.before.has(process.key) || marksOf(process).some(namesLivingRun);
    if (isOthers || startedByOthers(process, byPid, run)) return [];
    const isOrphan = process.parent <= 1 || run.own.has(process.parent);
    const runsCheckout = isWithin(process.command, run.project);
    if (runsCheckout && (isOrphan || run.isStrict)) return [{ process, isCertain: isOrphan }];
    const { command, cwd, program } = process;
    const isHere = isOrphan && [command, cwd, program].some((text) => isWithin(text, run.project));
    return process.ports.length > 0 && (isHere || run.isStrict) ? [{ process, isCertain: false }] : [];
  });
}

/** @param {Process} process */
function marksOf({ command, environ, cwd, program }) {
  return [command, environ, cwd, program];
}

/** @param {Process} process @param {string} folder */
function names(process, folder) {
  return marksOf(process).some((text) => text.includes(folder));
}

/** @param {string} text @param {string} folder */
function isWithin(text, folder) {
  return text === folder || text.includes(folder + sep);
}

/**
 * Whether it descends from a process that was there before the run and is not above it: an editor, a terminal, another session.
 * @param {Process} process
 * @param {Map<number, Process>} byPid
 * @param {Run} run
 */
function startedByOthers({ parent }, byPid, { own, before }) {
  for (
    let above = byPid.get(parent);
    above !== undefined && above.pid > 1 && !own.has(above.pid);
    above = byPid.get(above.parent)
  )
    if (before.has(above.key)) return true;
  return false;
}
