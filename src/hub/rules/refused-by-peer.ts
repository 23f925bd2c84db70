import { type NewEvent, newEvent } from "../../model/events.js";
import { quoteLine } from "../../model/others-words.js";
import type { PeerName } from "../../model/peer.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { HubContext } from "../context.js";
import { bounce } from "./bounce.js";
import { deliveryRef } from "./delivery-ref.js";

const REASON_MOST = 300;

/** Mail that a peer will not take, however often it is sent, comes back to its sender with what the peer said. */
export function refusedByPeer(
  context: HubContext,
  peer: PeerName,
  delivery: Delivery,
  reason: string,
): NewEvent[] {
  const { recipient: agent } = delivery;
  const ref = deliveryRef(context.views, delivery);
  return [
    newEvent("DeliveriesFailed", agent, { agent, reason: "peer_refused", deliveries: [ref] }),
    ...bounce(context, [{ agent, delivery: ref }], `${peer} refused it (${quoteLine(reason, REASON_MOST)})`),
  ];
}
