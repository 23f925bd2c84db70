import { dirname } from "node:path";
import { makeFolder } from "../client/make-folder.js";
import { createKnownRuntimes } from "../runtime/backends/known-runtimes.js";
import { type Behaviour, behaviourNames, type Cell } from "./cell.js";
import type { BackendResult, RowResult } from "./run-selftest.js";

/** What a row comes to. `unknown`: not all of it was tried, or could be. */
export type Verdict = "works" | "fails" | "unknown" | "missing";

export function verdictOf({ program, cells }: RowResult): Verdict {
  if (program === undefined) return "missing";
  const kinds = [...cells.values()].map(({ kind }) => kind);
  if (kinds.includes("fails")) return "fails";
  if (kinds.includes("blocked") || kinds.includes("not_run") || kinds.length === 0) return "unknown";
  return "works";
}

/** Whether the row has every behaviour, so that it says something about the runtime as a whole. */
function isWhole({ cells }: RowResult): boolean {
  return behaviourNames.every((behaviour) => cells.has(behaviour));
}

/**
 * Writes to the file in which the person's hub remembers what it knows of runtimes; answers with how many rows it has now. Rows that say
 * nothing for certain change nothing.
 */
export function remember(results: readonly BackendResult[], file: string, at: string): number {
  makeFolder(dirname(file));
  const known = createKnownRuntimes(file, (error) => {
    throw error;
  });
  let count = 0;
  for (const { found, rows } of results) {
    for (const row of rows) {
      const verdict = verdictOf(row);
      if (row.program === undefined || !isWhole(row) || (verdict !== "works" && verdict !== "fails"))
        continue;
      known.noteSelftest(
        { backend: found.backend.name, runtime: row.runtime, program: row.program },
        { fails: failing(row.cells), version: found.version ?? null, at },
      );
      count += 1;
    }
  }
  return count;
}

function failing(cells: ReadonlyMap<Behaviour, Cell>): Behaviour[] {
  return behaviourNames.filter((behaviour) => cells.get(behaviour)?.kind === "fails");
}

/** Whether something was tried, and all of it works. What is not installed counts only if it was asked for by name. */
export function isWell(
  results: readonly BackendResult[],
  asked: { backends: boolean; runtimes: boolean },
): boolean {
  if (!results.some(({ rows }) => rows.some(({ cells }) => cells.size > 0))) return false;
  return results.every(({ found, rows }) => {
    const isHere = rows.some(({ program }) => program !== undefined);
    if (!isHere && found.path === undefined) return !asked.backends;
    return rows.every((row) => {
      const verdict = verdictOf(row);
      return verdict === "works" || (verdict === "missing" && !asked.runtimes);
    });
  });
}
