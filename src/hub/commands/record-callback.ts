import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";

/** Six tries within an hour: a peer that restarts is reached, one that was shut for the night is not waited for. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 2_700_000];

/** `refused`: it may not be called any more, and no further try would change that. */
export type CallbackOutcome =
  | { kind: "delivered" }
  | { kind: "failed"; reason: string }
  | { kind: "refused"; reason: string };

export type RecordCallback = { callback: string; attempt: number; outcome: CallbackOutcome };

/** What came of one try. Told twice, or of a try that is not the newest, it changes nothing. */
export const recordCallback: HubDecider<RecordCallback, void> = ({ callback, attempt, outcome }, context) => {
  const known = context.views.callbacks.byId(callback);
  if (known === undefined || known.attempt !== attempt) return decided([], undefined);
  const { url, answer: _answer, due: _due, ...about } = known;
  const pause = outcome.kind === "failed" ? PAUSES_MS[attempt - 1] : undefined;
  if (outcome.kind === "failed" && pause !== undefined) {
    const next = { ...about, attempt: attempt + 1, url, due: context.now + pause, failed: outcome.reason };
    return decided([newEvent("CallbackDue", about.agent, next)], undefined);
  }
  const done =
    outcome.kind === "delivered"
      ? ({ outcome: "delivered" } as const)
      : ({ outcome: "given_up", reason: outcome.reason } as const);
  return decided([newEvent("CallbackDone", about.agent, { ...about, ...done })], undefined);
};
