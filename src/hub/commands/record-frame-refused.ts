import { decided } from "../../model/decision.js";
import { isOpen } from "../../model/delivery.js";
import type { PeerName } from "../../model/peer.js";
import type { HubDecider } from "../context.js";
import { refusedByPeer } from "../rules/refused-by-peer.js";

type FrameRefused = { peer: PeerName; epoch: string; n: number; reason: string };

/** A hub will not take one piece of mail. Its number goes on as a void frame, so that what follows is not kept from coming. */
export const recordFrameRefused: HubDecider<FrameRefused, void> = ({ peer, epoch, n, reason }, context) => {
  const { linkFrames, inbox } = context.views;
  if (linkFrames.outgoing(peer)?.epoch !== epoch) return decided([], undefined);
  const mail = linkFrames.mailUpTo(peer, n).find((one) => one.n === n);
  const delivery = mail && inbox.get(mail.seq, mail.agent);
  if (delivery === undefined || !isOpen(delivery.state)) return decided([], undefined);
  return decided(refusedByPeer(context, peer, delivery, reason), undefined);
};
