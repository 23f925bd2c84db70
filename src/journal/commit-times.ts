export type CommitTimes = { count: number; median_ms: number | null; slowest_ms: number | null };

/** So many are remembered. */
const LAST = 1000;

/** How long the last commits took. Adding one costs nothing; who asks pays. */
export function createCommitTimes() {
  const ring = new Float64Array(LAST);
  let added = 0;
  return {
    add(milliseconds: number): void {
      ring[added % LAST] = milliseconds;
      added += 1;
    },
    read(): CommitTimes {
      const sorted = ring.slice(0, Math.min(added, LAST)).sort();
      return {
        count: sorted.length,
        median_ms: sorted[Math.floor(sorted.length / 2)] ?? null,
        slowest_ms: sorted.at(-1) ?? null,
      };
    },
  };
}
