import type { DeliveryState } from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { bounce } from "./bounce.js";

/**
 * Expiry applies before an offer only: what an agent may already have cannot be taken back. But what the hub says of its
 * stop is of no use after it, and is not offered again either.
 */
export function expireMessage(context: HubContext, seq: number): NewEvent[] {
  const { views } = context;
  const message = views.messages.bySeq(seq)?.data.message;
  if (message === undefined) return [];
  const ends: readonly DeliveryState[] =
    message.notice === "stop" ? ["accepted", "held", "offered"] : ["accepted", "held"];
  const expired = message.to
    .flatMap(({ agent }) => views.inbox.get(seq, agent) ?? [])
    // To another hub, until that has it.
    .filter(
      ({ state, recipient }) =>
        ends.includes(state) || (state === "offered" && views.peers.agent(recipient) !== undefined),
    )
    .map(({ recipient }) => ({ agent: recipient, delivery: { seq, id: message.id, from: message.from } }));
  return [
    ...expired.map((delivery) => newEvent("MessageExpired", delivery.agent, delivery)),
    ...bounce(context, expired, "it expired"),
  ];
}
