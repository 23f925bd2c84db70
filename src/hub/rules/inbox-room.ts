import { type AgentId, HUMAN_ID, type Recipient } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { PeerName } from "../../model/peer.js";
import type { HubContext } from "../context.js";
import { addressOf, teamOf } from "./address-of.js";

/**
 * Whether an inbox takes no more of this sender. A full one still keeps room for everybody who has little in it, so that
 * one who fills it shuts out nobody else; and the person finds it full only of their own messages.
 */
export function isFullFor(sender: AgentId, target: AgentId, { views, limits }: HubContext): boolean {
  if (views.inbox.depth(target) < limits.inboxCap) return false;
  const room = sender === HUMAN_ID ? limits.inboxCap : Math.min(limits.inboxRoom, limits.inboxCap);
  return views.inbox.share(target, sender) >= room;
}

export function checkRoom(sender: AgentId, target: Recipient, context: HubContext): void {
  if (!isFullFor(sender, target.id, context)) return;
  const { views, limits } = context;
  const name = addressOf(views, target, teamOf(views, sender));
  const own = views.inbox.share(target.id, sender);
  throw new HubError(
    "INBOX_FULL",
    `The inbox of "${name}" is full (${views.inbox.depth(target.id)} unread, ${own} of them yours); ` +
      "send again once it has read some",
    { target: name, cap: limits.inboxCap },
  );
}

/** All agents of one peer share so much of an inbox: however many names it uses, it shuts out nobody. `more`: what this command takes besides. */
export function checkPeerShare(peer: PeerName, target: Recipient, more: number, context: HubContext): void {
  const { share } = context.limits.peerMail;
  const open = shareOfPeer(peer, target.id, more, context);
  if (open < share) return;
  throw new HubError(
    "INBOX_FULL",
    `The inbox of "${target.name}" has ${open} unread messages of ${peer}, and takes no more of it; send again once some are read`,
    { target: target.name, cap: share },
  );
}

export function hasPeerRoom(peer: PeerName, target: AgentId, more: number, context: HubContext): boolean {
  return shareOfPeer(peer, target, more, context) < context.limits.peerMail.share;
}

/** What all agents of a peer have open in one inbox; where that is well below its share, all that is open there at most. */
function shareOfPeer(peer: PeerName, target: AgentId, more: number, { views, limits }: HubContext): number {
  const all = views.inbox.depth(target) + more;
  if (all < limits.peerMail.share) return all;
  return views.peers.agentsOf(peer).reduce((sum, { id }) => sum + views.inbox.share(target, id), more);
}
