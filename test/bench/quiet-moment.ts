import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/* On a machine that does something else a ratio says little: what is short is disturbed most. */

const lookMs = 3000;
const mostBusy = 0.4;

/** Resolves once the processors are mostly idle. */
export async function quietMoment(): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const before = readTimes();
    await sleep(lookMs);
    const after = readTimes();
    const busy = (after.busy - before.busy) / Math.max(1, after.all - before.all);
    if (busy <= mostBusy) return;
    if (!isTold) console.error(`waiting for a quiet moment (${Math.round(busy * 100)} % busy) …`);
  }
}

function readTimes(): { busy: number; all: number } {
  const all = cpus().flatMap(({ times }) => Object.values(times));
  const idle = cpus().map(({ times }) => times.idle);
  return { busy: sum(all) - sum(idle), all: sum(all) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
