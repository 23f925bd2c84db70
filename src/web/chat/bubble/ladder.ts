import { sayClockMs, sayLength, sayOffset, toMs } from "../../parts/time.js";
import type { Delivery, Step } from "./mail.js";

/** One row of the ladder: a state that a delivery reached, when, how long after the beginning, and what that rests on. */
export type LadderRow = {
  key: string;
  state: string;
  time: string;
  offset: string;
  evidence: string;
  tone: "done" | "held" | "failed" | "answered";
};

/** `seq` is the number of the commit that took the message. */
export function listLadder(delivery: Delivery, seq: number): LadderRow[] {
  const { steps } = delivery;
  const began = Date.parse(steps[0]?.at ?? delivery.at);
  const rows = steps.map((step, index): LadderRow => {
    const next = steps[index + 1];
    const isHeld = step.state === "held";
    const ms =
      isHeld && next !== undefined ? Date.parse(next.at) - Date.parse(step.at) : Date.parse(step.at) - began;
    return {
      key: `${index}`,
      state: step.state,
      time: sayClockMs(toMs(step.at)),
      offset: index === 0 || (isHeld && next === undefined) ? "" : isHeld ? sayLength(ms) : sayOffset(ms),
      evidence: evidenceOf(step, index === 0 ? seq : undefined),
      tone: toneOf(step.state),
    };
  });
  // That it waits for somebody who is away is no step of its own.
  if (delivery.state === "held" && steps.at(-1)?.state !== "held")
    rows.push({
      key: "held",
      state: "held",
      time: "",
      offset: "",
      evidence: delivery.reason ?? "",
      tone: "held",
    });
  return rows;
}

function evidenceOf(step: Step, seq: number | undefined): string {
  const parts = [
    seq === undefined
      ? undefined
      : `commit #${new Intl.NumberFormat("fr").format(seq).replaceAll("\u202f", " ")}`,
    step.by === undefined ? undefined : `reply_to of ${step.by}`,
    step.evidence,
    step.route,
    step.attempt === undefined ? undefined : `attempt ${step.attempt}`,
    step.turn === undefined ? undefined : `turn ${shortTurn(step.turn)}`,
    step.stop,
    step.with === undefined || step.with === 0
      ? undefined
      : `with ${step.with} other${step.with === 1 ? "" : "s"}`,
    step.reason?.replaceAll("_", " "),
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** Ids of turns are long; their end tells them apart. */
function shortTurn(turn: string): string {
  return turn.length > 12 ? turn.slice(-8) : turn;
}

function toneOf(state: string): LadderRow["tone"] {
  if (state === "answered") return "answered";
  if (state === "held") return "held";
  return state === "failed" || state === "expired" || state === "refused" ? "failed" : "done";
}
