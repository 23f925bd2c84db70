import { setTimeout as sleep } from "node:timers/promises";
import type { AgentId } from "../../model/agent.js";
import { hostedVariable } from "./environment.js";
import { listMarked } from "./list-marked.js";
import { runVariable } from "./shim.js";
import { signal } from "./signal.js";

/*
 * Ends processes that an agent began and that left its process group, so that no signal to the group reaches them: they
 * are found by the marks in their environment.
 */

/** Ends what is left of one run. */
export function sweepRun(run: string, options: SweepOptions = {}): Promise<number> {
  return sweep(runVariable, (value) => value === run, options);
}

/**
 * Ends what an earlier life of this hub left behind; called at its start, before it starts anything. `spare` says whose
 * processes stay: those in panes outlive the hub by design.
 */
export function sweepHub(
  hub: string,
  spare: (agent: AgentId) => boolean,
  options: SweepOptions = {},
): Promise<number> {
  const ours = `${hub}:`;
  return sweep(
    hostedVariable,
    (value) => value.startsWith(ours) && !spare(value.slice(ours.length)),
    options,
  );
}

type SweepOptions = { /** Between SIGTERM and SIGKILL. */ graceMs?: number };

/** How many processes there were. Looks again until there are none: what is being killed may still fork. */
async function sweep(
  variable: string,
  isMeant: (value: string) => boolean,
  { graceMs = 500 }: SweepOptions,
): Promise<number> {
  const seen = new Set<number>();
  const deadline = performance.now() + graceMs;
  for (let round = 0; round < 100; round += 1) {
    const found = (await listMarked(variable)).filter(({ pid, value }) => isMeant(value) && !isSelf(pid));
    if (found.length === 0) break;
    const late = performance.now() >= deadline;
    for (const { pid } of found) {
      if (late) signal(pid, "SIGKILL");
      else if (!seen.has(pid)) signal(pid, "SIGTERM");
      seen.add(pid);
    }
    await sleep(25);
  }
  return seen.size;
}

/** A hub that was started from within an agent bears the mark of that agent, as does the shell it was started from. */
function isSelf(pid: number): boolean {
  return pid === process.pid || pid === process.ppid;
}
