import type { Clock } from "../model/clock.js";
import type { DirectoryEntry, DirectoryNews } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import { backoffMs } from "./backoff.js";
import type { Link } from "./link.js";
import type { LinkHub } from "./link-hub.js";
import type { PeerReports } from "./peer-reports.js";
import type { After } from "./timers.js";
import { createWatched } from "./watched.js";

/*
 * Who is on the other hubs that are watched, as they told last. A hub is asked for its directory once when links start and when it is linked, and again when it calls after
 * it could not be reached, or tells of a change after one that was missed. Nothing is asked by the clock alone: where nobody looks and
 * nothing changes, nothing goes over the wire.
 */
export type Directories = {
  /** Undefined while it has told nothing since this hub started, and for one that is not watched. */
  of(peer: PeerName): readonly DirectoryEntry[] | undefined;
  isWatched(peer: PeerName): boolean;
  /** Somebody looks: peers not heard of for a while are asked again, in the background. */
  look(): void;
  /** A peer tells what changed there. `stop`: it need not, since it is not watched any more. */
  take(peer: PeerName, news: DirectoryNews): { stop?: true };
  /** Mail goes to it or came from it: it may be watched from now on, in the place of another. */
  used(peer: PeerName): void;
  /** A peer called: if what is known of it is old, it is asked. */
  called(peer: PeerName): void;
  settle(): void;
  close(): void;
};

type DirectoriesOptions = {
  hub: LinkHub;
  link: Link;
  reports: PeerReports;
  clock: Clock;
  after: After;
  /** From 0 to 1. */
  random: () => number;
};

type Known = { rev: string | undefined; entries: ReadonlyMap<string, DirectoryEntry> };

/** No peer is asked more often because somebody looks. */
const LOOK_MS = 30_000;

export function createDirectories(options: DirectoriesOptions): Directories {
  const { hub, link, reports, clock, after, random } = options;
  const known = new Map<PeerName, Known>();
  /** Under way; `again` when news came meanwhile. */
  const asking = new Map<PeerName, { again: boolean }>();
  const askedAt = new Map<PeerName, number>();
  /** How often each was asked in vain since it last answered. */
  const vain = new Map<PeerName, number>();
  /** One that called while it could not be called is asked a little later. */
  const due = new Map<PeerName, () => void>();
  const watched = createWatched(clock);
  watched.settle(hub.peers());

  const find = (name: PeerName) => hub.peers().find((peer) => peer.name === name && peer.kind === "hub");
  const sinceAsked = (name: PeerName) => clock.monotonic() - (askedAt.get(name) ?? Number.NEGATIVE_INFINITY);

  function ask(name: PeerName) {
    const peer = find(name);
    const underWay = asking.get(name);
    if (underWay !== undefined) underWay.again = true;
    if (peer === undefined || underWay !== undefined) return;
    const own = { again: false };
    asking.set(name, own);
    askedAt.set(name, clock.monotonic());
    askOnce(peer)
      .catch((error: unknown) => {
        own.again = false;
        vain.set(name, (vain.get(name) ?? 0) + 1);
        reports.failed(name, error);
      })
      .finally(() => {
        asking.delete(name);
        if (own.again) ask(name);
      });
  }

  async function askOnce(peer: Peer): Promise<void> {
    const { agents, rev } = await link.request(peer, "directory");
    if (!watched.has(peer.name)) return;
    known.set(peer.name, { rev, entries: new Map(agents.map((entry) => [entry.id, entry])) });
    vain.delete(peer.name);
  }

  /** As soon as it may be asked again. */
  function askSoon(name: PeerName) {
    if (due.has(name)) return;
    const failures = vain.get(name) ?? 0;
    const waitMs = failures === 0 ? 0 : backoffMs(failures, random()) - sinceAsked(name);
    if (waitMs <= 0) {
      ask(name);
      return;
    }
    const callOff = after(waitMs, () => {
      due.delete(name);
      ask(name);
    });
    due.set(name, callOff);
  }

  /** Those that are watched. What is kept of others is forgotten. */
  function keepWatched(): ReadonlySet<PeerName> {
    const isKept = ({ name, kind }: Peer) => kind === "hub" && watched.has(name);
    const names = new Set(hub.peers().flatMap((peer) => (isKept(peer) ? [peer.name] : [])));
    for (const name of [...known.keys(), ...askedAt.keys()]) {
      if (names.has(name)) continue;
      known.delete(name);
      askedAt.delete(name);
    }
    return names;
  }

  return {
    isWatched: watched.has,
    of: (name) => {
      const entries = known.get(name)?.entries;
      return entries && [...entries.values()];
    },
    look() {
      for (const { name } of hub.peers()) {
        if (!watched.has(name)) continue;
        const lastContactAt = reports.of(name).lastContactAt ?? Number.NEGATIVE_INFINITY;
        const isFresh = known.has(name) && clock.wall() - lastContactAt < LOOK_MS;
        if (!isFresh && sinceAsked(name) >= LOOK_MS) ask(name);
      }
    },
    take(name, { rev, after, agents = [], gone = [] }) {
      if (!watched.has(name)) return { stop: true };
      const before = known.get(name);
      if (before === undefined || after === undefined || before.rev !== after) {
        if (before?.rev !== rev || rev === undefined) ask(name);
        return {};
      }
      const entries = new Map(before.entries);
      for (const id of gone) entries.delete(id);
      for (const entry of agents) entries.set(entry.id, entry);
      known.set(name, { rev, entries });
      return {};
    },
    used(name) {
      const before = watched.has(name);
      watched.use(name);
      if (before || !watched.has(name)) return;
      keepWatched();
      askSoon(name);
    },
    called(name) {
      if (!watched.has(name)) return;
      const isOld = !known.has(name) || reports.of(name).reachable === "no";
      if (isOld && !asking.has(name)) askSoon(name);
    },
    settle() {
      watched.settle(hub.peers());
      for (const name of keepWatched()) if (!askedAt.has(name)) ask(name);
    },
    close() {
      for (const callOff of due.values()) callOff();
      due.clear();
    },
  };
}
