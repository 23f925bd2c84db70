import type { KeyObject } from "node:crypto";
import { HubError } from "../model/errors.js";
import type { HubId } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import { fingerprintOf, readPublicKey } from "./identity.js";

type KnownHub = { id: HubId; key: KeyObject };

/**
 * The keys of peers. A paired one's is written down. Of one that stands in the configuration with an address and a secret only,
 * the first key it shows is held on to, and the hub writes it down: who can show another later has the secret, and still is not it.
 */
export type KnownHubs = {
  of(peer: Peer): KnownHub | undefined;
  /** Whose key this is, whoever shows it; undefined if it is none. A known key is not parsed again, which takes as long as checking a signature. */
  read(peer: Peer, publicKey: string): KnownHub | undefined;
  /** Throws PEER_UNTRUSTED if it is not the key that is known. */
  meet(peer: Peer, publicKey: string): KnownHub;
  /** Forgets whoever is a peer no more. */
  keepOnly(peers: readonly Peer[]): void;
};

/** `own`: the id of this hub, which no other has. */
export function createKnownHubs(own?: HubId): KnownHubs {
  const met = new Map<PeerName, { publicKey: string; hub: KnownHub }>();

  function readHub(peer: Peer, publicKey: string): KnownHub {
    const key = readPublicKey(publicKey);
    const id = fingerprintOf(publicKey);
    if (key === undefined) throw untrusted(peer, "shows a key that is none");
    if (id === own) throw untrusted(peer, OWN_KEY);
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
    read(peer, publicKey) {
      const before = met.get(peer.name);
      if (before?.publicKey === publicKey) return before.hub;
      const key = readPublicKey(publicKey);
      return key && { id: fingerprintOf(publicKey), key };
    },
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

const OWN_KEY =
  "has this hub's own key: its address leads back here, or its data is a copy of this hub's. In a copy remove hub.key, and pair it again";

export function untrusted(peer: Pick<Peer, "name">, problem: string): HubError {
  return new HubError("PEER_UNTRUSTED", `The hub at "${peer.name}" ${problem}. Nothing of it is taken`, {
    peer: peer.name,
  });
}
