import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SliceResult } from "./part.js";

/*
 * What a mutation run must have killed.
 */

type Score = { mutants: number; percent?: number };
export type MutationScore = { parts: (Score & { part: string })[]; total: Score };

const FILE = join(".cache", "mutation", "score.json");
/** Of each of these, in percent. */
const LEAST_KILLED = 85;
const PROMISED = ["journal", "claims", "auth"];

export function readScore(): SliceResult {
  if (!existsSync(FILE)) return { counts: {}, violations: [`${FILE} is missing`] };
  return judgeScore(JSON.parse(readFileSync(FILE, "utf8")) as MutationScore);
}

export function judgeScore({ parts, total }: MutationScore): SliceResult {
  const percents = new Map(
    parts.flatMap(({ part, percent }) => (percent === undefined ? [] : [[part, percent]])),
  );
  const violations = PROMISED.flatMap((part) => {
    const percent = percents.get(part);
    if (percent === undefined) return [`${part}: no mutant was tried`];
    return percent < LEAST_KILLED
      ? [`${part}: ${percent.toFixed(1)}% killed, less than ${LEAST_KILLED}%`]
      : [];
  });
  return { counts: { mutants: total.mutants, ...Object.fromEntries(percents) }, violations };
}
