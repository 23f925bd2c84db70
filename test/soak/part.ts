/*
 * A part of the soak: one promise, tried often. A long part is cut into slices, and what each slice found is stored when it
 * ends, so that an interruption loses a slice at most.
 */

export type Counts = Readonly<Record<string, number>>;

type Slice = {
  seed: number;
  /** How many are before this slice. */
  from: number;
  count: number;
  /** Tells how many of this slice are done. */
  progress(done: number): void;
};

export type SliceResult = {
  counts: Counts;
  violations: readonly string[];
  /** What a part that has a table of its own puts into it, a line for each row. */
  rows?: readonly string[];
};

export type Part = {
  name: string;
  /** Its numbers in docs/promises.md. */
  promise: string;
  title: string;
  /** For a night. */
  count: number;
  /** The most of one slice; all at once when it is not given. */
  slice?: number;
  run(slice: Slice): Promise<SliceResult>;
  /** What was done, from the counts of all slices. */
  describe(slices: readonly Counts[]): string;
};

export function total(slices: readonly Counts[], name: string): number {
  return slices.reduce((sum, counts) => sum + (counts[name] ?? 0), 0);
}

export function most(slices: readonly Counts[], name: string): number {
  return Math.max(0, ...slices.map((counts) => counts[name] ?? 0));
}
