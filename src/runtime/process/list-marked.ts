import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";

/** A process whose environment at its start held the variable that was looked for, and the value it had. */
type Marked = { pid: number; value: string };

/** Processes of this user that bear the variable. Others' environments cannot be read, and are none of ours. */
export async function listMarked(variable: string): Promise<Marked[]> {
  return process.platform === "linux" ? listFromProc(variable) : listFromPs(variable);
}

/** About a millisecond of reading at a time. A file of the kernel's is read sooner than another thread is asked for it. */
const AT_ONCE = 32;

async function listFromProc(variable: string): Promise<Marked[]> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found: Marked[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const entry = readEnvironment(pid).find((line) => line.startsWith(`${variable}=`));
    if (entry !== undefined) found.push({ pid: Number(pid), value: entry.slice(variable.length + 1) });
  }
  return found;
}

function readEnvironment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return []; // Gone, a zombie, or not ours.
  }
}

async function listFromPs(variable: string): Promise<Marked[]> {
  const { stdout } = await promisify(execFile)("ps", ["-axEww", "-o", "pid=,command="], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => {
    const pid = /^\s*(\d+) /.exec(line)?.[1];
    const value = new RegExp(` ${variable}=(\\S*)`).exec(line)?.[1];
    return pid === undefined || value === undefined ? [] : [{ pid: Number(pid), value }];
  });
}
