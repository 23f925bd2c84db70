import type { Clock } from "../model/clock.js";
import type { PeerName } from "../model/peer.js";
import { handOver } from "./hand-over.js";
import type { IdentifyPeer } from "./identify-peer.js";
import { createLane, type Lane } from "./lane.js";
import type { Link } from "./link.js";
import type { LinkHub } from "./link-hub.js";
import type { PeerReports } from "./peer-reports.js";
import type { After } from "./timers.js";

/** What goes out to peers. Where nothing waits, nothing runs: no timer, no question, however many peers are away. */
export type Outbox = {
  /** The peer spoke to us: what waits for it goes at once. */
  hurry(peer: PeerName): void;
  close(): Promise<void>;
};

type OutboxOptions = {
  hub: LinkHub;
  link: Link;
  identify: IdentifyPeer;
  reports: PeerReports;
  clock: Clock;
  after: After;
  /** From 0 to 1. */
  random: () => number;
};

export function createOutbox({ hub, link, identify, reports, clock, after, random }: OutboxOptions): Outbox {
  const lanes = new Map<PeerName, Lane>();
  /** Of peers that were removed: what was under way is waited for. */
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  function laneOf(name: PeerName): Lane {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const lane = createLane({
      attempt: () => tryPeer(name),
      onFailure: (error) => reports.failed(name, error),
      clock,
      after,
      random,
    });
    lanes.set(name, lane);
    return lane;
  }

  /** The peer is looked up each time: its address or key may be another by now. */
  async function tryPeer(name: PeerName) {
    const peer = hub.peers().find((one) => one.name === name);
    if (peer === undefined) return "nothing";
    const came = await handOver(peer, { hub, link, identify, onFound: () => reports.waiting(name, true) });
    if (came === "nothing") reports.waiting(name, false);
    return came;
  }

  function wake(name: PeerName) {
    if (!isClosed && hub.peers().some((peer) => peer.name === name)) laneOf(name).wake();
  }

  function settle() {
    const names = new Set(hub.peers().map(({ name }) => name));
    for (const [name, lane] of lanes) {
      if (names.has(name)) continue;
      lanes.delete(name);
      const ended = lane.end().finally(() => ending.delete(ended));
      ending.add(ended);
    }
    for (const name of names) {
      wake(name);
      lanes.get(name)?.hurry();
    }
  }

  const unsubscribe = [hub.onWork(wake), hub.onPeersChanged(settle)];
  settle();

  return {
    hurry: (name) => lanes.get(name)?.hurry(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const leave of unsubscribe) leave();
      const ended = [...lanes.values()].map((lane) => lane.end());
      // Otherwise a try would last as long as its peer is silent.
      await link.close();
      await Promise.all([...ended, ...ending]);
    },
  };
}
