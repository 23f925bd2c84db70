import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What each process shows of itself: a path and its content. */
export function readProcesses(part: "cmdline" | "environ"): [path: string, text: string][] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid): [string, string][] => {
      const path = join("/proc", pid, part);
      try {
        return [[path, readFileSync(path, "utf8")]];
      } catch {
        return []; // It ended, or is another user's.
      }
    });
}
