import type { Peer, PeerName } from "../model/peer.js";
import { untrusted } from "./known-hubs.js";

/**
 * Finds two hubs that use one key, such as a machine and its clone: mail to them would be split. Each start of a hub is a run with a name
 * of its own, signed with what it sends. A run that another one followed is over; if it speaks again, both are alive.
 */
export type PeerRuns = {
  /** Throws PEER_UNTRUSTED for a run that was over. One that is new goes on in place of the last. */
  meet(peer: Peer, run: string | undefined): void;
  keepOnly(peers: readonly Peer[]): void;
};

const REMEMBERED = 16;

export function createPeerRuns(): PeerRuns {
  /** The present one is the last. */
  const runs = new Map<PeerName, readonly string[]>();
  return {
    meet(peer, run) {
      if (run === undefined) return;
      const known = runs.get(peer.name) ?? [];
      if (known.at(-1) === run) return;
      if (known.includes(run)) {
        throw untrusted(
          peer,
          "runs twice: two hubs have its key, as after a copy of its data. The one that started last counts. In the other remove hub.key, and pair it again",
        );
      }
      runs.set(peer.name, [...known, run].slice(-REMEMBERED));
    },
    keepOnly(peers) {
      const names = new Set(peers.map(({ name }) => name));
      for (const name of runs.keys()) if (!names.has(name)) runs.delete(name);
    },
  };
}
