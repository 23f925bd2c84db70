import { isDeepStrictEqual } from "node:util";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import { checkLabel } from "../../model/label.js";
import { checkAgentName } from "../../model/names.js";
import type { Peer, PeerName } from "../../model/peer.js";
import type { HubContext, HubDecider } from "../context.js";
import { failWaiting } from "../rules/fail-waiting.js";
import { findPeer } from "../rules/find-peer.js";
import { releaseClaimsOf } from "../rules/release-claims.js";

/** Another hub can be written to from now on. One that is known by that name gets its new address, label or key. */
export const addPeer: HubDecider<{ peer: Peer }, void> = ({ peer }, context) => {
  checkAgentName(peer.name);
  if (peer.label !== null) checkLabel(peer.label);
  const known = context.views.peers.byName(peer.name);
  checkIdentity(peer, known, context);
  if (known !== undefined) {
    return decided(
      isDeepStrictEqual(known, peer) ? [] : [newEvent("PeerChanged", null, { peer })],
      undefined,
    );
  }
  return decided([newEvent("PeerAdded", null, { peer, front: context.newId() })], undefined);
};

/** Two hubs of one name, or two names of one hub, would split the mail. */
function checkIdentity(peer: Peer, known: Peer | undefined, { views }: HubContext): void {
  const { name, hubId } = peer;
  if (hubId === null) return;
  if (known !== undefined && known.hubId !== null && known.hubId !== hubId) {
    throw new HubError(
      "PEER_EXISTS",
      `Another hub is known as "${name}"; remove it first, or choose another name`,
      { name },
    );
  }
  const twin = views.peers.all().find((one) => one.hubId === hubId && one.name !== name);
  if (twin !== undefined) {
    throw new HubError("PEER_EXISTS", `This hub is known as "${twin.name}" already; remove that first`, {
      name: twin.name,
    });
  }
}

/** It is written to no more: what waits for it comes back to its senders. */
export const removePeer: HubDecider<{ name: PeerName }, void> = ({ name }, context) => {
  const { views } = context;
  findPeer(views, name);
  const why = `the hub "${name}" is not linked to this one any more`;
  const failed = views.peers
    .agentsOf(name)
    .flatMap(({ id }) => failWaiting(context, id, { reason: "peer_removed", why }));
  // What its agents had claimed is free again; what they asked for ends.
  const freed = views.peers.agentsOf(name).flatMap(({ id }) => releaseClaimsOf(context, id, "left"));
  return decided([...failed, ...freed, newEvent("PeerRemoved", null, { name })], undefined);
};
