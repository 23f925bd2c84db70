import type { AgentExit } from "../model/turn.js";
import type { FailureKind } from "./driver-model.js";

export type FailureFacts = {
  startError: unknown;
  exit: AgentExit | undefined;
  limits: { takenWithinMs: number; cancelWithinMs: number };
};

/** Why an agent failed, as a clause for people. */
export function describeFailure(kind: FailureKind, { startError, exit, limits }: FailureFacts): string {
  switch (kind) {
    case "start_failed":
      return `it did not start: ${startError instanceof Error ? startError.message : String(startError)}`;
    case "not_taken":
      return `it did not take its mail within ${limits.takenWithinMs / 1000} s`;
    case "not_cancelled":
      return `it went on for ${limits.cancelWithinMs / 1000} s after it was interrupted`;
    case "exited": {
      const how = exit?.signal ?? (exit?.code === null ? "unknown" : `code ${exit?.code ?? "unknown"}`);
      const lastLine = exit?.stderr.trim().split("\n").at(-1) ?? "";
      return `its process ended (${how})${lastLine === "" ? "" : `: ${lastLine.slice(0, 200)}`}`;
    }
  }
}
