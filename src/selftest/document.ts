import { behaviourNames } from "./cell.js";
import type { BackendResult } from "./run-selftest.js";
import { verdictOf } from "./verdict.js";

/** What the run was about, beside its results. */
export type RunFacts = {
  ok: boolean;
  seconds: number;
  budgetSeconds: number;
  /** Hosts beyond this machine that the CLIs asked for, and did not get. */
  refused: readonly string[];
  /** How many rows the hub's memory of runtimes has from this run. */
  remembered: number;
  logs: string | undefined;
};

/** The result as one document, for `--json`. */
export function describeResults(results: readonly BackendResult[], facts: RunFacts) {
  return {
    ok: facts.ok,
    seconds: facts.seconds,
    budget_seconds: facts.budgetSeconds,
    backends: results.map(({ found, rows }) => ({
      backend: found.backend.name,
      installed: found.path !== undefined,
      path: found.path ?? null,
      version: found.version ?? null,
      install: found.install,
      runtimes: rows.map((row) => ({
        runtime: row.runtime,
        verdict: verdictOf(row),
        program: row.program ?? null,
        reason: row.program === undefined ? row.reason : null,
        fix: row.program === undefined ? row.fix : null,
        behaviours: behaviourNames.flatMap((behaviour) => {
          const cell = row.cells.get(behaviour);
          if (cell === undefined) return [];
          return [
            {
              behaviour,
              result: cell.kind,
              ms: "ms" in cell ? cell.ms : null,
              reason: "reason" in cell ? cell.reason : null,
              fix: "fix" in cell ? cell.fix : null,
            },
          ];
        }),
      })),
    })),
    refused: facts.refused,
    remembered: facts.remembered,
    logs: facts.logs ?? null,
  };
}
