import { HubError } from "../../model/errors.js";
import type { Peer, PeerName } from "../../model/peer.js";
import type { TightViews } from "../../views/tight.js";

export function findPeer({ peers }: TightViews, name: PeerName): Peer {
  const peer = peers.byName(name);
  if (peer !== undefined) return peer;
  throw new HubError("PEER_NOT_FOUND", `No hub "${name}" is linked to this one`, {
    available: peers.all().map((one) => one.name),
  });
}
