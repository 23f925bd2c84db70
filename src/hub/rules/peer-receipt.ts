import { assertNever } from "../../model/assert-never.js";
import {
  type DeliveryRef,
  type DeliveryState,
  deliveryStates,
  readProof,
  readTakenEvidence,
} from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { LinkReceipt } from "../../model/link.js";
import { quoteLine } from "../../model/others-words.js";
import type { Peer } from "../../model/peer.js";
import { readTurnStop } from "../../model/turn.js";
import type { HubContext } from "../context.js";
import { bounce } from "./bounce.js";

/** How far deliveries have come by receipts before this one: the views know nothing of those yet. */
export type Progress = Map<number, DeliveryState>;

const REASON_MOST = 300;

/**
 * A receipt of another hub moves the delivery of the message that it names, if that went to an agent of that hub. It never moves
 * one back, and not what ended here.
 */
export function applyReceipt(
  context: HubContext,
  peer: Peer,
  receipt: LinkReceipt,
  progress: Progress,
  answered: Set<number>,
): NewEvent[] {
  const { views } = context;
  const stored = views.messages.bySender(receipt.from, receipt.id);
  const agent = stored?.data.message.to[0]?.agent ?? "";
  const delivery = stored && views.inbox.get(stored.seq, agent);
  if (delivery === undefined || views.peers.agent(agent)?.peer !== peer.name) return [];
  const ref: DeliveryRef = { seq: delivery.seq, id: receipt.id, from: delivery.sender };
  if (receipt.state === "answered") {
    if (delivery.answeredBy !== null || answered.has(ref.seq) || receipt.by === undefined) return [];
    answered.add(ref.seq);
    return [newEvent("MessageAnswered", agent, { agent, delivery: ref, by: receipt.by })];
  }
  const state = progress.get(ref.seq) ?? (answered.has(ref.seq) ? "seen" : delivery.state);
  if (!isFurther(state, receipt.state)) return [];
  progress.set(ref.seq, receipt.state);
  return moved(context, agent, ref, { ...receipt, state: receipt.state }, peer);
}

const ENDS: readonly DeliveryState[] = ["expired", "refused", "failed"];

/** That it was put into the agent is news also where this hub knows that it was taken by the other one. */
function isFurther(from: DeliveryState, to: DeliveryState): boolean {
  if (ENDS.includes(from) || from === "finished") return false;
  return from === "injected" && to === "injected"
    ? true
    : deliveryStates.indexOf(to) > deliveryStates.indexOf(from);
}

type Moving = LinkReceipt & { state: Exclude<LinkReceipt["state"], "answered"> };

function moved(
  context: HubContext,
  agent: string,
  delivery: DeliveryRef,
  { state, evidence, reason }: Moving,
  peer: Peer,
): NewEvent[] {
  const deliveries = [delivery];
  const words = reason === undefined ? "no reason was given" : quoteLine(reason, REASON_MOST);
  const told = (why: string) => bounce(context, [{ agent, delivery }], why);
  switch (state) {
    case "injected":
      return [
        newEvent("MessagesInjected", agent, { agent, evidence: readTakenEvidence(evidence), deliveries }),
      ];
    case "seen":
      return [newEvent("MessagesSeen", agent, { agent, evidence: readProof(evidence), deliveries })];
    case "finished":
      return [
        newEvent("MessagesFinished", agent, { agent, stop: readTurnStop(evidence), with: 0, deliveries }),
      ];
    case "expired":
      return [newEvent("MessageExpired", agent, { agent, delivery }), ...told(`it expired on ${peer.name}`)];
    case "failed":
      return [
        newEvent("DeliveriesFailed", agent, { agent, reason: "peer_failed", deliveries }),
        ...told(`${peer.name} could not deliver it (${words})`),
      ];
    case "refused":
      return [
        newEvent("DeliveriesFailed", agent, { agent, reason: "peer_refused", deliveries }),
        ...told(`${peer.name} refused it (${words})`),
      ];
    default:
      return assertNever(state);
  }
}
