import fc from "fast-check";
import { chooseSeeds } from "./random.js";

/*
 * Properties are tried with known seeds first, then with a new one. SEED=… tries that seed alone, with all of the runs.
 * A failure names its seed.
 */

export type PropertyOptions = { runs?: number };

export function checkProperty<Ts>(property: fc.IProperty<Ts>, { runs = 100 }: PropertyOptions = {}): void {
  for (const share of shareRuns(asked(runs))) reportFailure(fc.check(property, share), share.seed);
}

export async function checkAsyncProperty<Ts>(
  property: fc.IAsyncProperty<Ts>,
  { runs = 100 }: PropertyOptions = {},
): Promise<void> {
  for (const share of shareRuns(asked(runs))) {
    const found = await fc.check(property, { ...share, endOnFailure: true });
    if (!found.failed) continue;
    const shrunk = await fc.check(property, { ...share, interruptAfterTimeLimit: SHRINK_MS });
    reportFailure(shrunk.failed ? shrunk : found, share.seed);
  }
}

/** A long history is made smaller for as long: until the test's own time is up, nothing would be said of it at all. */
const SHRINK_MS = 20_000;

/**
 * HUDDLE_PROPERTY_TIMES=… multiplies the runs, for a long look at all properties; HUDDLE_PROPERTY_RUNS=… is the most, for who runs the tests
 * thousands of times: a mutation run.
 */
function asked(runs: number): number {
  const wanted = runs * Number(process.env["HUDDLE_PROPERTY_TIMES"] ?? 1);
  return Math.min(wanted, Number(process.env["HUDDLE_PROPERTY_RUNS"] ?? wanted));
}

/** Half of the runs are for the last seed, which is the new one; the others share the rest. */
function shareRuns(runs: number): { seed: number; numRuns: number }[] {
  const seeds = chooseSeeds();
  const each = Math.max(1, Math.floor(runs / 2 / Math.max(1, seeds.length - 1)));
  return seeds.map((seed, i) => ({
    seed,
    numRuns: i === seeds.length - 1 ? Math.max(1, runs - each * (seeds.length - 1)) : each,
  }));
}

function reportFailure<Ts>(details: fc.RunDetails<Ts>, seed: number): void {
  if (!details.failed) return;
  const report = fc.defaultReportMessage(details);
  throw new Error(`SEED=${seed} repeats this failure.\n${report}`, { cause: details.errorInstance });
}
