import { clause } from "../model/clause.js";
import { HubError } from "../model/errors.js";
import { quoteLine } from "../model/others-words.js";
import type { AgentExit } from "../model/turn.js";
import { RuntimeError } from "../runtime/runtime.js";
import type { FailureKind } from "./driver-model.js";

type FailureFacts = {
  startError: unknown;
  exit: AgentExit | undefined;
  /** Why its runtime could not give it its mail, with the time that it waited; undefined when the driver's time was up. */
  refusal: string | undefined;
  limits: { takenWithinMs: number; cancelWithinMs: number };
};

/** With the last that it wrote to standard error, which is usually why. */
export function describeStartError(error: unknown): string {
  // What the runtimes say is ours, and quotes others where it must; anything else may say what it likes.
  if (!(error instanceof RuntimeError))
    return clause(quoteLine(error instanceof Error ? error.message : String(error)));
  const message = clause(error.message);
  const { stderr } = error.details;
  const last = typeof stderr === "string" ? lastLine(stderr) : "";
  return last === "" || message.includes(last) ? message : `${message}: "${last}"`;
}

/** In the words of the agent's program. */
function lastLine(stderr: string): string {
  return clause(quoteLine(stderr.trim().split("\n").at(-1) ?? ""));
}

/** Why an agent failed, as a clause for people. */
export function describeFailure(kind: FailureKind, facts: FailureFacts): string {
  const { startError, exit, refusal, limits } = facts;
  switch (kind) {
    case "start_failed":
      return `it did not start: ${describeStartError(startError)}`;
    case "not_taken":
      return refusal === undefined
        ? `it did not take its mail within ${limits.takenWithinMs / 1000} s`
        : `it did not take its mail: ${clause(refusal)}`;
    case "not_cancelled":
      return `it went on for ${limits.cancelWithinMs / 1000} s after it was interrupted`;
    case "exited": {
      const how = exit?.signal ?? (exit?.code === null ? "unknown" : `code ${exit?.code ?? "unknown"}`);
      const last = lastLine(exit?.stderr ?? "");
      return `its process ended (${how})${last === "" ? "" : `: "${last}"`}`;
    }
  }
}

/** Why it did not start, for whoever asked for it. */
export function asRefusal(error: unknown): { code: string; message: string } {
  const isKnown = error instanceof RuntimeError || error instanceof HubError;
  const code = isKnown ? error.code : "BACKEND_FAILED";
  return { code, message: describeStartError(error) };
}
