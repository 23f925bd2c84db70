import { readFileSync } from "node:fs";

/** Of the kernel's clock, on every Linux that Node runs on. */
const TICK_MS = 10;

/** How long a process has computed by now, its own work and what the kernel did for it. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
