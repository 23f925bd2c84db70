import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A process whose environment at its start held the variable that was looked for, and the value it had. */
export type Marked = { pid: number; value: string };

/** Processes of this user that bear the variable. Others' environments cannot be read, and are none of ours. */
export async function listMarked(variable: string): Promise<Marked[]> {
  return process.platform === "linux" ? listFromProc(variable) : listFromPs(variable);
}

async function listFromProc(variable: string): Promise<Marked[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<Marked[]> => {
      // Gone, a zombie, or not ours.
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      const entry = environment.split("\0").find((line) => line.startsWith(`${variable}=`));
      return entry === undefined ? [] : [{ pid: Number(pid), value: entry.slice(variable.length + 1) }];
    }),
  );
  return found.flat();
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
