import type { Lab } from "./lab.js";
import type { Summary } from "./statistics.js";

export type Unit = "µs" | "ms" | "s" | "/s" | "MiB";

export type Limit = { on: "ratio" | "ours"; is: "at least" | "at most"; bound: number };

/** One line of the table. Without a limit it is only reported. */
export type Row = Summary & {
  what: string;
  /** What ours is held against. */
  against: string;
  unit: Unit;
  limit?: Limit;
  /** In the table of the vendors' CLIs. */
  isCli?: true;
};

/** `longestMs`: where making what is measured takes longer than a measurement usually may. */
export type Measurement = { name: string; longestMs?: number; run(lab: Lab): Promise<Row[]> };

export function isMet({ limit, ...row }: Row): boolean {
  if (limit === undefined) return true;
  return limit.is === "at least" ? row[limit.on] >= limit.bound : row[limit.on] <= limit.bound;
}
