import { readFileSync } from "node:fs";
import { statField } from "./process-start.js";

const MARKED = /(?:^|\0)HUDDLE_HOSTED=[^\0]/;
const GENERATIONS = 4;

/**
 * Whether the hub runs the CLI that started us. Some CLIs give an MCP server little of their own environment, so on
 * Linux the mark is looked for in theirs, too.
 */
export function isHosted(env: NodeJS.ProcessEnv): boolean {
  if (env["HUDDLE_HOSTED"]) return true;
  let pid = process.ppid;
  for (let i = 0; i < GENERATIONS && pid > 1; i++) {
    if (MARKED.test(environmentOf(pid))) return true;
    pid = Number(statField(pid, "parent") ?? 0);
  }
  return false;
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // Another user's, or another system.
  }
}
