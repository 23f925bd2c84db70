import { isDeepStrictEqual } from "node:util";
import type { DirectoryEntry, DirectoryNews, DirectoryPage } from "../model/link.js";
import type { PeerName } from "../model/peer.js";
import { cutPage } from "./directory-page.js";
import type { Link } from "./link.js";
import type { LinkHub } from "./link-hub.js";
import type { PeerReports } from "./peer-reports.js";
import type { After } from "./timers.js";

/*
 * Tells peers who came, went or changed here: only those that asked for the whole directory since links started and did not say that it is enough, and only when something
 * changed. One that could not be told is told once it is heard of again.
 */
export type TellDirectory = {
  /** What a peer that asks is given; from now on it is told of changes. */
  answer(peer: PeerName): { agents: readonly DirectoryEntry[]; rev: string };
  /** What somebody is given who looks once, and is not told of changes. */
  show(page: DirectoryPage): { agents: readonly DirectoryEntry[]; next?: string };
  /** A peer is there. */
  heard(peer: PeerName): void;
  close(): void;
};

type TellOptions = { hub: LinkHub; link: Link; reports: PeerReports; after: After; run: string };

/** Changes of one moment go together. */
const TOGETHER_MS = 250;
/** A call with more is not read (`RPC_BYTES`): the peer is told to ask. */
const NEWS_BYTES = 2500;

export function createTellDirectory({ hub, link, reports, after, run }: TellOptions): TellDirectory {
  let told = new Map<string, DirectoryEntry>();
  let count = 0;
  /** Those who asked, and whether they missed something since. */
  const listeners = new Map<PeerName, { isBehind: boolean }>();
  let callOff: (() => void) | undefined;

  const rev = () => `${run}.${count}`;

  /** What changed since the last time, which is then the next number; undefined: nothing did. */
  function step(): DirectoryNews | undefined {
    const now = new Map(hub.directory().map((entry) => [entry.id, entry]));
    const agents = [...now.values()].filter((entry) => !isDeepStrictEqual(entry, told.get(entry.id)));
    const gone = [...told.keys()].filter((id) => !now.has(id));
    if (agents.length + gone.length === 0) return undefined;
    const before = rev();
    told = now;
    count++;
    const news = { rev: rev(), after: before, agents, gone };
    return Buffer.byteLength(JSON.stringify(news)) <= NEWS_BYTES ? news : { rev: rev() };
  }

  function tell(name: PeerName, listener: { isBehind: boolean }, news: DirectoryNews) {
    const peer = hub.peers().find((one) => one.name === name);
    if (peer === undefined) {
      listeners.delete(name);
      return;
    }
    link
      .request(peer, "presence", news)
      .then(({ stop }) => {
        if (stop === true) listeners.delete(name);
      })
      .catch((error: unknown) => {
        listener.isBehind = true;
        reports.failed(name, error);
      });
  }

  function tellAll() {
    callOff = undefined;
    const news = step();
    if (news === undefined) return;
    for (const [name, listener] of listeners) if (!listener.isBehind) tell(name, listener, news);
  }

  const unsubscribe = hub.onDirectoryChanged(() => {
    if (listeners.size > 0) callOff ??= after(TOGETHER_MS, tellAll);
  });

  return {
    answer(peer) {
      const news = step();
      if (news !== undefined)
        for (const [name, listener] of listeners)
          if (name !== peer && !listener.isBehind) tell(name, listener, news);
      listeners.set(peer, { isBehind: false });
      return { agents: [...told.values()], rev: rev() };
    },
    show: (page) => cutPage(hub.directory(), page),
    heard(peer) {
      const listener = listeners.get(peer);
      if (listener?.isBehind !== true) return;
      listener.isBehind = false;
      tell(peer, listener, { rev: rev() });
    },
    close() {
      unsubscribe();
      callOff?.();
    },
  };
}
