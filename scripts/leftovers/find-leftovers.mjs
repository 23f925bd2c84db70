// What a test run left behind: processes, the ports that they listen on, tmux servers (processes too), files, mounts and network namespaces.
import { setTimeout as sleep } from "node:timers/promises";
import { findFiles } from "./files.mjs";
import { leftProcesses } from "./judge-processes.mjs";
import { newLeftovers } from "./judge-things.mjs";
import { listMounts } from "./mounts.mjs";
import { ancestors, listProcesses } from "./processes.mjs";
import { listThings } from "./things.mjs";

/** What was told to end needs a moment for it: no agent outlives its hub by more. */
const GRACE_MS = 10_000;
const EVERY_MS = 200;
/** Of files, as many are named. */
const NAMED = 20;

/**
 * @typedef {object} Run
 * @property {string} project    the checkout
 * @property {string[]} folders  the run's own
 * @property {boolean} isStrict  in CI: whatever is new on the machine counts
 */

/** Call it before the run, and what it returns after it: that ends the processes that are left, and names everything. @param {Run} run */
export function watchLeftovers(run) {
  const before = new Set(listProcesses().map(({ key }) => key));
  const thingsBefore = listThings(run.project);
  const user = process.getuid?.();

  function find() {
    const all = listProcesses();
    const own = ancestors(all);
    const processes = leftProcesses(all, { ...run, before, own });
    const left = new Set(processes.map(({ process: one }) => one));
    const others = all.filter((one) => !left.has(one) && !own.has(one.pid));
    return {
      processes,
      things: newLeftovers(thingsBefore, listThings(run.project), { ...run, user, others }),
    };
  }

  return async function findLeftovers() {
    const deadline = Date.now() + GRACE_MS;
    let left = find();
    while (left.processes.length + left.things.length > 0 && Date.now() < deadline) {
      await sleep(EVERY_MS);
      left = find();
    }
    for (const { process: one, isCertain } of left.processes) if (isCertain) end(one.pid);
    const mounts = new Set(listMounts().map(({ path }) => path));
    const files = run.folders.flatMap((folder) => [...findFiles(folder, mounts)]);
    return [
      ...left.processes.map(({ process: one }) => describe(one)),
      ...left.things.map(({ says }) => says),
      ...files.slice(0, NAMED).map((file) => `Left lying: ${file}`),
      ...(files.length > NAMED ? [`Left lying: ${files.length - NAMED} more files`] : []),
    ];
  };
}

/** @param {import("./processes.mjs").Process} process */
function describe({ pid, command, ports }) {
  const listening = ports.length === 0 ? "" : `, listening on ${ports.join(", ")}`;
  return `Left running: process ${pid}${listening}: ${command.replaceAll("\0", " ").trim().slice(0, 300)}`;
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}
