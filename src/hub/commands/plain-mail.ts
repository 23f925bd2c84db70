import { decided } from "../../model/decision.js";
import { isOpen } from "../../model/delivery.js";
import { newEvent } from "../../model/events.js";
import type { LinkMail } from "../../model/link.js";
import type { PeerName } from "../../model/peer.js";
import { mailOf } from "../../views/compose-frame.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { HubContext, HubDecider } from "../context.js";
import { deliveryRef } from "../rules/delivery-ref.js";
import { findPeer } from "../rules/find-peer.js";
import { refusedByPeer } from "../rules/refused-by-peer.js";

/*
 * Mail to a plain daemon, one message at a time: it has no numbers, and what it answered is all that is known of it.
 */

/** The oldest message that waits for it. That it was handed out is on disk before it leaves. */
export const offerPlain: HubDecider<{ peer: PeerName }, (LinkMail & { seq: number }) | undefined> = (
  { peer },
  context,
) => {
  const { views, now } = context;
  findPeer(views, peer);
  const [oldest] = views.peers
    .agentsOf(peer)
    .flatMap(({ id }) => views.inbox.unread(id, 0, 1))
    .sort((a, b) => a.seq - b.seq);
  if (oldest === undefined) return decided([], undefined);
  const { seq, recipient: agent, attempt, state } = oldest;
  const mail = mailOf(seq, agent, now, views);
  const offered = newEvent("MessagesOffered", agent, {
    agent,
    route: "link",
    deliveries: [{ ...deliveryRef(views, oldest), attempt: attempt + 1 }],
  });
  return decided(state === "offered" ? [] : [offered], mail && { ...mail, seq });
};

/** The daemon answered that it has it. */
export const recordPlainTaken: HubDecider<{ peer: PeerName; seq: number }, void> = (
  { peer, seq },
  context,
) => {
  const delivery = openDelivery(context, peer, seq);
  if (delivery === undefined) return decided([], undefined);
  const taken = newEvent("MessagesInjected", delivery.recipient, {
    agent: delivery.recipient,
    evidence: "peer_stored",
    deliveries: [deliveryRef(context.views, delivery)],
  });
  return decided([taken], undefined);
};

type PlainRefused = { peer: PeerName; seq: number; reason: string };

/** It will not take it, however often it is sent. */
export const recordPlainRefused: HubDecider<PlainRefused, void> = ({ peer, seq, reason }, context) => {
  const delivery = openDelivery(context, peer, seq);
  if (delivery === undefined) return decided([], undefined);
  return decided(refusedByPeer(context, peer, delivery, reason), undefined);
};

function openDelivery({ views }: HubContext, peer: PeerName, seq: number): Delivery | undefined {
  const agent = views.messages.bySeq(seq)?.data.message.to[0]?.agent ?? "";
  const delivery = views.peers.agent(agent)?.peer === peer ? views.inbox.get(seq, agent) : undefined;
  return delivery !== undefined && isOpen(delivery.state) ? delivery : undefined;
}
