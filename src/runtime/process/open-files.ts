import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { readStat } from "./group-lives.js";

/** Files that the processes of a group hold open. Empty where it cannot be known. */
export async function listOpenFiles(group: number): Promise<string[]> {
  const files = await (process.platform === "linux" ? listFromProc(group) : listFromLsof(group));
  return [...new Set(files)];
}

async function listFromProc(group: number): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
      return readStat(stat).group === group ? listOfProcess(pid) : [];
    }),
  );
  return found.flat();
}

async function listOfProcess(pid: string): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  // Gone, or not ours.
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return targets.filter((target) => target.startsWith("/"));
}

function listFromLsof(group: number): Promise<string[]> {
  const args = ["-nPw", "-g", String(group), "-Fn"];
  // It ends with 1 when it could not tell everything.
  return new Promise((resolve) => {
    execFile("lsof", args, { timeout: 5000, maxBuffer: 16 * 1024 * 1024 }, (_, stdout) => {
      resolve(readLsof(stdout));
    });
  });
}

/** A line per field: the letter says which, `n` is the name. */
export function readLsof(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("n/"))
    .map((line) => line.slice(1));
}
