import type { Bindable } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import { type DeliveryState, deliveryStates, type Step } from "../model/delivery.js";
import type { ConversationId, HoldReason, MessageId } from "../model/message.js";

/* A delivery as the tables of the inbox hold it, and as everybody else knows it. */

export type StoredDelivery = {
  seq: number;
  recipient: string;
  sender: string;
  state: number;
  attempt: number;
  offered_at: number | null;
  answered_by: string | null;
  steps: string | null;
  conversation: string | null;
  hop: number;
  hold: HoldReason | null;
  passes: number;
};

/** A row in memory. It changes several times in a batch: its steps become text when it is stored. */
export type DeliveryRow = Omit<StoredDelivery, "steps"> & { steps: readonly Step[] };

export type Delivery = {
  seq: number;
  recipient: AgentId;
  sender: AgentId;
  state: DeliveryState;
  attempt: number;
  offeredAt: number | null;
  answeredBy: MessageId | null;
  steps: readonly Step[];
  conversation: ConversationId | null;
  hop: number;
  /** Why it is held, while it is. */
  hold: HoldReason | null;
  /** It does not wait behind what is held. */
  passes: boolean;
};

export const deliveryColumns =
  "recipient, seq, sender, state, attempt, offered_at, answered_by, steps, conversation, hop, hold, passes";

/** In the order of the columns: binding by name looks every name up, at every send. */
export function valuesOf(row: DeliveryRow): Bindable[] {
  const { recipient, seq, sender, state, attempt, offered_at, answered_by, steps } = row;
  const { conversation, hop, hold, passes } = row;
  return [
    recipient,
    seq,
    sender,
    state,
    attempt,
    offered_at,
    answered_by,
    JSON.stringify(steps),
    conversation,
    hop,
    hold,
    passes,
  ];
}

export function toState(code: number): DeliveryState {
  return deliveryStates[code] ?? "failed";
}

export function unpack(stored: StoredDelivery): DeliveryRow {
  const steps: unknown = stored.steps === null ? [] : JSON.parse(stored.steps);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by `valuesOf`, by no other hand
  return { ...stored, steps: steps as Step[] };
}

export function fromStored(stored: StoredDelivery): Delivery {
  return fromRow(unpack(stored));
}

export function fromRow(row: DeliveryRow): Delivery {
  return {
    seq: row.seq,
    recipient: row.recipient,
    sender: row.sender,
    state: toState(row.state),
    attempt: row.attempt,
    offeredAt: row.offered_at,
    answeredBy: row.answered_by,
    steps: row.steps,
    conversation: row.conversation,
    hop: row.hop,
    hold: toState(row.state) === "held" ? row.hold : null,
    passes: row.passes === 1,
  };
}
