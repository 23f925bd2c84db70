import { decided } from "../../model/decision.js";
import { isOpen } from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { groupBy } from "../../model/group-by.js";
import type { Ack } from "../../model/link.js";
import type { PeerName } from "../../model/peer.js";
import type { HubContext, HubDecider } from "../context.js";
import { deliveryRef } from "../rules/delivery-ref.js";

type AcknowledgeFrames = { peer: PeerName; ack: Ack };

/**
 * A peer has all frames up to a number on its disk: they are dropped here. An ack that names a frame as this hub did not send it is
 * of another history: this hub was restored from a copy, and what waits is numbered anew, in a new epoch.
 */
export const acknowledgeFrames: HubDecider<AcknowledgeFrames, void> = ({ peer, ack }, context) => {
  const { linkFrames } = context.views;
  const outgoing = linkFrames.outgoing(peer);
  // Of an epoch that is over, or of a peer that was removed: it says nothing about what is sent now.
  if (outgoing === undefined || ack.epoch !== outgoing.epoch) return decided([], undefined);
  // Less than was acknowledged: it came late, or the peer was restored, which it notices itself by `low`.
  if (ack.upTo <= outgoing.acked) return decided([], undefined);
  if (ack.digest === null || !linkFrames.digestsOf(peer, ack.upTo).includes(ack.digest)) {
    const epoch = context.newId();
    return decided([newEvent("EpochBegun", null, { peer, epoch, reason: "restored" })], undefined);
  }
  const { epoch, upTo } = ack;
  return decided(
    [...taken(context, peer, upTo), newEvent("FramesAcknowledged", null, { peer, epoch, upTo })],
    undefined,
  );
};

/** What happens to it there is told by receipts. */
function taken({ views }: HubContext, peer: PeerName, upTo: number): NewEvent[] {
  const open = views.linkFrames
    .mailUpTo(peer, upTo)
    .flatMap(({ seq, agent }) => views.inbox.get(seq, agent) ?? [])
    .filter(({ state }) => isOpen(state));
  return [...groupBy(open, ({ recipient }) => recipient)].map(([agent, own]) =>
    newEvent("MessagesInjected", agent, {
      agent,
      evidence: "peer_stored",
      deliveries: own.map((delivery) => deliveryRef(views, delivery)),
    }),
  );
}
