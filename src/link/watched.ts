import type { Clock } from "../model/clock.js";
import type { Peer, PeerName } from "../model/peer.js";

/*
 * Whose directory this hub follows. A peer that has an address was linked by a person, and always is. Of those that only the fabric reaches it is at most 50, since all
 * hearing all would cost the square of their number: the first ones that are met, then those that mail goes to or comes from. Such a one takes the place of
 * whichever has been without mail for longest, and nobody's who had some lately: places do not go round with every message.
 */
export type Watched = {
  has(peer: PeerName): boolean;
  /** Mail goes to it or came from it. */
  use(peer: PeerName): void;
  /** Whoever is a peer no more leaves; free places are filled. */
  settle(peers: readonly Peer[]): void;
};

/** Also how many hubs of a fabric become peers by themselves. */
export const MOST_WATCHED = 50;
const QUIET_MS = 10 * 60_000;

export function createWatched({ monotonic }: Pick<Clock, "monotonic">): Watched {
  let linked: ReadonlySet<PeerName> = new Set();
  let members: ReadonlySet<PeerName> = new Set();
  /** When there was mail last. */
  const places = new Map<PeerName, number>();

  function makeRoom() {
    if (places.size < MOST_WATCHED) return;
    const [quietest] = [...places].sort(([, one], [, other]) => one - other);
    if (quietest !== undefined && monotonic() - quietest[1] >= QUIET_MS) places.delete(quietest[0]);
  }

  return {
    has: (name) => linked.has(name) || places.has(name),
    use(name) {
      if (!members.has(name)) return;
      if (!places.has(name)) makeRoom();
      if (places.has(name) || places.size < MOST_WATCHED) places.set(name, monotonic());
    },
    settle(peers) {
      linked = new Set(peers.flatMap(({ name, origin }) => (origin === "fabric" ? [] : [name])));
      members = new Set(peers.flatMap(({ name, origin }) => (origin === "fabric" ? [name] : [])));
      for (const name of places.keys()) if (!members.has(name)) places.delete(name);
      for (const name of members) {
        if (places.size >= MOST_WATCHED) return;
        if (!places.has(name)) places.set(name, Number.NEGATIVE_INFINITY);
      }
    },
  };
}
