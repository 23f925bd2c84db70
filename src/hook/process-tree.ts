import { readFileSync } from "node:fs";
import { statField } from "../bridge/process-start.js";

/** A look at the processes that run: who started whom, and what they are called. */
export type ProcessTree = {
  parentOf(pid: number): number | undefined;
  nameOf(pid: number): string | undefined;
};

export function readProcessTree(): ProcessTree {
  return process.platform === "linux" ? readProc() : readPs();
}

function readProc(): ProcessTree {
  return {
    parentOf(pid) {
      const parent = Number(statField(pid, "parent") ?? 0);
      return parent > 0 ? parent : undefined;
    },
    nameOf(pid) {
      try {
        return readFileSync(`/proc/${pid}/comm`, "utf8").trimEnd();
      } catch {
        return undefined;
      }
    },
  };
}

function readPs(): ProcessTree {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,comm="], { encoding: "utf8", timeout: 300 });
  const found = new Map<number, { parent: number; name: string }>();
  for (const line of (stdout ?? "").split("\n")) {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    found.set(Number(pid), { parent: Number(parent), name: command.slice(command.lastIndexOf("/") + 1) });
  }
  return {
    parentOf: (pid) => found.get(pid)?.parent,
    nameOf: (pid) => found.get(pid)?.name,
  };
}
