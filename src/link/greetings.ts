import type { Peer, PeerName } from "../model/peer.js";
import type { Have, Link } from "./link.js";
import type { LinkHub } from "./link-hub.js";

/**
 * A hub that was restored from a copy lacks frames that it had acknowledged. It would learn so from the next frame only, which may be
 * days away: so hubs tell each other at the first contact of each run up to where they have the other's frames. Whoever sees that the
 * other lacks some sends a batch without frames: its `low`, which is signed, shows what can no longer be had.
 */
export type Greetings = {
  have(peer: PeerName): Have;
  /** Once in a run, with a hub that answers. Rejects as a ping does. */
  greet(peer: Peer): Promise<void>;
  /** What the other side said that it has; undefined where it did not say. */
  compare(peer: Peer, have: Have | undefined): void;
  keepOnly(peers: readonly Peer[]): void;
};

export function createGreetings(
  hub: LinkHub,
  link: () => Link,
  onFailure: (peer: PeerName, error: unknown) => void,
): Greetings {
  const greeted = new Set<PeerName>();
  const reminding = new Set<PeerName>();

  function compare(peer: Peer, have: Have | undefined) {
    const sent = hub.sent(peer.name);
    if (peer.kind !== "hub" || have === undefined || sent === undefined || sent.acked === 0) return;
    if (have?.epoch === sent.epoch && have.upTo >= sent.acked) return;
    if (reminding.has(peer.name)) return;
    reminding.add(peer.name);
    link()
      .send(peer, { epoch: sent.epoch, low: sent.acked + 1, frames: [] })
      .then((ack) => hub.acknowledgeFrames(peer.name, ack))
      .catch((error: unknown) => onFailure(peer.name, error))
      .finally(() => reminding.delete(peer.name));
  }

  return {
    have(peer) {
      const received = hub.received(peer);
      return received === undefined ? null : { epoch: received.epoch, upTo: received.upTo };
    },
    async greet(peer) {
      if (peer.kind !== "hub" || greeted.has(peer.name)) return;
      greeted.add(peer.name);
      try {
        compare(peer, (await link().request(peer, "ping")).have);
      } catch (error) {
        greeted.delete(peer.name);
        throw error;
      }
    },
    compare,
    keepOnly(peers) {
      const names = new Set(peers.map(({ name }) => name));
      for (const name of greeted) if (!names.has(name)) greeted.delete(name);
    },
  };
}
