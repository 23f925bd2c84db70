import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { signal } from "./signal.js";

/** Whether a process of a group still runs. A zombie does not, though the group takes signals as long as one is in it. */
export async function groupLives(group: number): Promise<boolean> {
  if (!signal(-group, 0)) return false;
  return process.platform === "linux" ? livesInProc(group) : livesByPs(group);
}

async function livesInProc(group: number): Promise<boolean> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")));
  return stats.some((stat) => {
    const { state, group: its } = readStat(stat);
    return its === group && state !== "Z" && state !== "X";
  });
}

/** The name of a program, in brackets, may hold anything; behind it come state, parent and group. */
export function readStat(stat: string): { state: string; group: number } {
  const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state, group: Number(group) };
}

function livesByPs(group: number): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("ps", ["-A", "-o", "pgid=,stat="], { timeout: 5000 }, (_, stdout) => {
      const rows = stdout.split("\n").map((row) => row.trim().split(/\s+/));
      resolve(rows.some(([its, state = "Z"]) => Number(its) === group && !state.startsWith("Z")));
    });
  });
}
