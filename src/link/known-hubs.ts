import type { KeyObject } from "node:crypto";
import { HubError } from "../model/errors.js";
import type { HubId } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import { fingerprintOf, readPublicKey } from "./identity.js";

type KnownHub = { id: HubId; key: KeyObject };

/**
 * The keys of peers. A paired one's is written down. Of one that stands in the configuration with an address and a secret only,
 * the first key it shows is held on to until this hub ends: who can show another later has the secret, and still is not it.
 */
export type KnownHubs = {
  of(peer: Peer): KnownHub | undefined;
  /** Throws PEER_UNTRUSTED if it is not the key that is known. */
  meet(peer: Peer, publicKey: string): KnownHub;
  /** Forgets whoever is a peer no more. */
  keepOnly(peers: readonly Peer[]): void;
};

export function createKnownHubs(): KnownHubs {
  const met = new Map<PeerName, { publicKey: string; hub: KnownHub }>();

  function readHub(peer: Peer, publicKey: string): KnownHub {
    const key = readPublicKey(publicKey);
    const id = fingerprintOf(publicKey);
    if (key === undefined) throw untrusted(peer, "shows a key that is none");
    if (peer.hubId !== null && peer.hubId !== id) throw untrusted(peer, `is ${id}, and was ${peer.hubId}`);
    return { id, key };
  }

  function remember(peer: Peer, publicKey: string): KnownHub {
    const before = met.get(peer.name);
    if (before?.publicKey === publicKey && (peer.hubId ?? before.hub.id) === before.hub.id) return before.hub;
    const hub = readHub(peer, publicKey);
    met.set(peer.name, { publicKey, hub });
    return hub;
  }

  return {
    of(peer) {
      if (peer.publicKey !== null) return remember(peer, peer.publicKey);
      const before = met.get(peer.name)?.hub;
      return peer.hubId === null || peer.hubId === before?.id ? before : undefined;
    },
    meet(peer, publicKey) {
      const known = this.of(peer);
      if (known !== undefined && known.id !== fingerprintOf(publicKey)) {
        throw untrusted(peer, `shows another key than before (${fingerprintOf(publicKey)}, not ${known.id})`);
      }
      return known ?? remember(peer, publicKey);
    },
    keepOnly(peers) {
      const names = new Set(peers.map(({ name }) => name));
      for (const name of met.keys()) if (!names.has(name)) met.delete(name);
    },
  };
}

export function untrusted(peer: Pick<Peer, "name">, problem: string): HubError {
  return new HubError("PEER_UNTRUSTED", `The hub at "${peer.name}" ${problem}. Nothing of it is taken`, {
    peer: peer.name,
  });
}
