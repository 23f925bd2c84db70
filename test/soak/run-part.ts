import { randomInt } from "node:crypto";
import type { Part, SliceResult } from "./part.js";
import { showProgress } from "./soak-progress.js";
import { currentCommit, type PartResult, type SoakStore, type StoredSlice } from "./soak-store.js";
import { violationsOf } from "./soak-table.js";

/** Slices use seeds that are this far apart, as a slice may use a few of its own. */
const SEEDS_PER_SLICE = 1000;

export type RunPartOptions = { part: Part; count: number; store: SoakStore; seed: number | undefined };

/** Runs the slices that have no result yet, each stored as soon as it ends. */
export async function runPart({ part, count, store, seed }: RunPartOptions): Promise<PartResult> {
  let result = begin({ part, count, store, seed });
  if (result.isDone) return result;
  const size = Math.min(part.slice ?? count, count);
  const first = result.slices.length * size;
  console.log(`${part.name} ${first}/${count}, SEED=${result.seed} repeats it`);
  const progress = showProgress({
    name: part.name,
    count,
    before: first,
    violations: () => violationsOf(result).length,
  });
  try {
    for (let from = first; from < count; from += size) {
      const slice: StoredSlice = await timed(() =>
        part.run({
          seed: result.seed + result.slices.length * SEEDS_PER_SLICE,
          from,
          count: Math.min(size, count - from),
          progress: (done) => progress.done(from + done),
        }),
      );
      progress.done(from + size);
      const slices = [...result.slices, slice];
      result = { ...result, slices, isDone: from + size >= count, at: new Date().toISOString() };
      store.write(result);
    }
    return result;
  } finally {
    progress.end();
  }
}

function begin({ part, count, store, seed }: RunPartOptions): PartResult {
  const stored = store.read(part, count);
  if (stored !== undefined && (seed === undefined || stored.seed === seed)) return stored;
  return {
    part: part.name,
    count,
    seed: seed ?? randomInt(2 ** 31),
    commit: currentCommit(),
    at: new Date().toISOString(),
    isDone: false,
    slices: [],
  };
}

/** A slice that breaks off is a violation too, and the rest of the part goes on. */
async function timed(run: () => Promise<SliceResult>): Promise<StoredSlice> {
  const began = performance.now();
  const { violations, ...found } = await run().catch(
    (error: unknown): SliceResult => ({
      counts: {},
      violations: [`broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
    }),
  );
  return { ...found, violations: violations.slice(0, 50), seconds: (performance.now() - began) / 1000 };
}
