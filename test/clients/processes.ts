import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readStat } from "../../src/runtime/process/group-lives.js";

export type OwnProcess = { pid: number; argv: string; environment: string };

/** Every process of this user that has such an environment: `NAME=value` pairs, each ended by a zero. */
export function processesWith(fits: (environment: string) => boolean): OwnProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const read = (file: string) => readFileSync(join("/proc", name, file), "utf8");
        const one = { pid: Number(name), argv: read("cmdline"), environment: read("environ") };
        return fits(one.environment) ? [one] : [];
      } catch {
        return []; // It ended meanwhile, or is somebody else's.
      }
    });
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}

/** The processes of a group, but for the one that leads it. */
export function belowOf(leader: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== leader)
    .filter((name) => {
      try {
        return readStat(readFileSync(join("/proc", name, "stat"), "latin1")).group === leader;
      } catch {
        return false; // Some live only for a moment.
      }
    })
    .map(Number);
}
