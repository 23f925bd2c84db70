import { existsSync, readFileSync } from "node:fs";

/** When a process began, so that its number is not mistaken for another's; undefined when there is none. */
export function startOf(pid: number): string | undefined {
  if (process.platform === "linux") return statField(pid, "start");
  try {
    process.kill(pid, 0);
    return "0";
  } catch {
    return undefined;
  }
}

/** Where these stand in /proc/PID/stat, counted from what follows the program's name. */
const fields = { parent: 1, session: 3, start: 19 } as const;

/** Written so as to leave little garbage: an idle bridge holds on to it, and this runs for every file in bridges/. */
export function statField(pid: number | "self", field: keyof typeof fields): string | undefined {
  const file = `/proc/${pid}/stat`;
  // Asking first is cheaper than an error.
  if (!existsSync(file)) return undefined;
  let stat: string;
  try {
    stat = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  let from = stat.lastIndexOf(")") + 2;
  for (let i = 0; i < fields[field]; i++) from = stat.indexOf(" ", from) + 1;
  return stat.slice(from, stat.indexOf(" ", from));
}
