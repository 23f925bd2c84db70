import type { AgentId } from "./agent.js";
import type { MessageId } from "./message.js";
import type { TurnId, TurnStop } from "./turn.js";

/*
 * A delivery is one message on its way to one recipient.
 *
 *   accepted → held → offered → injected → seen → finished
 *
 * or, at its end, expired, refused or failed. `accepted` is in the inbox; `held` is in the inbox but not yet
 * due; `offered` was handed out by a route and is not yet proven to have arrived; `injected` means that the
 * runtime took it; `seen` that the agent proved it; `finished` that the turn which carried it ended.
 * An unproven offer goes back to being offered again. Expiry applies before `offered` only.
 */
export const deliveryStates = [
  "accepted",
  "offered",
  "held",
  "injected",
  "seen",
  "finished",
  "expired",
  "refused",
  "failed",
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** As shown to a sender: `answered` outranks the rungs below it. */
export type ReceiptState = DeliveryState | "answered";

/**
 * Ways in which a message is handed over: read, by an open wait, by a hook of the agent's program, put into the agent by
 * its runtime, or given to the hub where it lives.
 */
export type Route = "inbox" | "wait" | "hook" | "runtime" | "pane" | "link";

/**
 * What proves that the agent has it. `ack` and `reply` are echoes: it named the message. `next_call`: its bridge wrote
 * the answer that held it, and then the agent called again. `hook`: its program's hooks showed
 * that it went on with it. `output` is its own output after it was put in; `turn_end` that the turn in which it was read came
 * to its end. `peer`: its hub says so, for a reason that this one does not know.
 */
const proofs = ["ack", "reply", "next_call", "hook", "output", "turn_end", "peer"] as const;
export type Proof = (typeof proofs)[number];

/** How a runtime knows that the agent took what it was given. `peer_stored`: another hub has it, which tells the rest by receipts. */
const takenEvidence = ["acp_prompt", "process_started", "pane_took_it", "peer_stored"] as const;
export type TakenEvidence = (typeof takenEvidence)[number];

/** `cancelled`: the task that it assigned was ended by somebody else. `peer_…`: the hub where its reader lives did not take it, or is a peer no more. */
export type FailReason =
  | "agent_gone"
  | "frozen"
  | "died"
  | "not_started"
  | "not_read"
  | "hub_restart"
  | "cancelled"
  | "peer_failed"
  | "peer_refused"
  | "peer_removed";

/**
 * What is particular about an offer: an interrupt had nothing to cancel; or the agent has it from before, was cut with the
 * hub while it was at it, and is only told to go on.
 */
export type OfferNote = "nothing_to_cancel" | "goes_on";

/** Why what was handed out waits again. */
export type ReturnReason =
  | "not_taken"
  | "interrupted"
  | "died"
  | "limited"
  | typeof CUT_BY_PAUSE
  | CutWithHub;

/** The turn was cut because the agent was paused. */
const CUT_BY_PAUSE = "paused";

/** The turn was cut because the hub ended: without warning, or when it was stopped and could wait no longer. */
type CutWithHub = "hub_restart" | "hub_stop";

/** Why mail waits for a pane: that was not ready in time, or what was put into it began no turn. */
const paneWaits = ["pane_not_ready", "pane_did_not_take"] as const;
export type PaneWait = (typeof paneWaits)[number];

/** The reason of the step that notes it: what somebody typed on the agent's screen was sent together with this. */
export const MIXED = "mixed";

/** That its sender was told so of a delivery, unless the agent got it since. */
export function paneWait(
  steps: readonly { state: string; reason?: string | undefined }[],
): PaneWait | undefined {
  const told = steps.findLast(({ state, reason }) => state === "injected" || isPaneWait(reason));
  return paneWaits.find((reason) => reason === told?.reason);
}

export function isPaneWait(reason: string | undefined): boolean {
  return paneWaits.some((wait) => wait === reason);
}

/** How often the hub ended without warning while the agent had it. */
export function timesCut(steps: readonly Step[]): number {
  return steps.filter((step) => step.state === "accepted" && step.reason === "hub_restart").length;
}

/** The agent was at it when the hub ended, or when it was paused, so it may know of it. */
export function wasCutShort(steps: readonly Step[]): boolean {
  return steps.some(
    ({ reason }) => reason === "hub_restart" || reason === "hub_stop" || reason === CUT_BY_PAUSE,
  );
}

/** The agent was paused when it was last at it. */
export function wasPausedAt(steps: readonly Step[]): boolean {
  return steps.findLast(({ state }) => state === "accepted")?.reason === CUT_BY_PAUSE;
}

/** What another hub says that a state rests on, as far as this one knows the word. */
export function readTakenEvidence(word: string | undefined): TakenEvidence {
  return takenEvidence.find((one) => one === word) ?? "peer_stored";
}

export function readProof(word: string | undefined): Proof {
  return proofs.find((one) => one === word) ?? "peer";
}

/** A delivery, named from events: enough to show and to filter without looking anything up. */
export type DeliveryRef = { seq: number; id: MessageId; from: AgentId };

export type Step = {
  state: ReceiptState;
  at: number;
  route?: Route;
  attempt?: number;
  evidence?: Proof | TakenEvidence;
  reason?: string;
  by?: MessageId;
  turn?: TurnId;
  /** How the turn ended, and how many other messages it carried. */
  stop?: TurnStop;
  with?: number;
};

/** One step further. That mail was mixed is noted on the step with which that turn took it. */
export function withStep(steps: readonly Step[], step: Step): Step[] {
  const isTaking = ({ state, turn }: Step) => state === "injected" && turn === step.turn;
  if (step.reason !== MIXED || !steps.some(isTaking)) return [...steps, step];
  return steps.map((one) => (isTaking(one) ? { ...one, reason: MIXED } : one));
}

export function isOpen(state: DeliveryState): boolean {
  return state === "accepted" || state === "offered" || state === "held";
}
