import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { Heard } from "./link.js";
import type { LinkLog } from "./link-log.js";

/** What people are told of a peer. Kept in memory: after a start nothing is known until somebody speaks. Times are wall time. */
export type PeerReport = {
  name: PeerName;
  reachable: "yes" | "no" | "unknown";
  reachableSince: number | null;
  /** The last time that somebody with its secret was refused for its key. It stays: whoever it was may come again. */
  distrusted: { at: number; message: string } | null;
  secret: "matched" | "wrong" | "unknown";
  lastContactAt: number | null;
  lastError: { at: number; code: string; message: string } | null;
  /** How far its clock is ahead of ours. */
  clockSkewMs: number | null;
  version: string | null;
  /** Since when something waits that it has not taken. */
  waitingSince: number | null;
};

export type PeerReports = {
  of(peer: PeerName): PeerReport;
  /** It answered us. */
  heard(peer: PeerName, heard: Heard): void;
  /** It called us, with the right secret. That says nothing of whether we reach it. */
  called(peer: PeerName): void;
  failed(peer: PeerName, error: unknown): void;
  /** It called us, or somebody in its name, with a key that is not to be trusted. */
  distrusted(peer: PeerName, error: HubError): void;
  waiting(peer: PeerName, isWaiting: boolean): void;
  keepOnly(peers: readonly Peer[]): void;
};

export function createPeerReports(clock: Clock, log: LinkLog): PeerReports {
  const reports = new Map<PeerName, PeerReport>();
  const of = (peer: PeerName): PeerReport => reports.get(peer) ?? { ...unknownPeer, name: peer };

  /** Only a change is worth a line: a peer may be away for weeks. */
  function change(peer: PeerName, news: Partial<PeerReport>) {
    const before = of(peer);
    const isOther = news.reachable !== undefined && news.reachable !== before.reachable;
    const after = { ...before, ...news, ...(isOther ? { reachableSince: clock.wall() } : {}) };
    reports.set(peer, after);
    if (!isOther) return;
    if (after.reachable === "yes") log.info({ peer, version: after.version }, "a peer is reached");
    else log.warn({ peer, reason: after.lastError?.message }, "a peer cannot be reached; its mail waits");
  }

  return {
    of,
    heard(peer, { skewMs, version }) {
      change(peer, {
        reachable: "yes",
        secret: "matched",
        lastContactAt: clock.wall(),
        lastError: null,
        ...(skewMs === undefined ? {} : { clockSkewMs: Math.round(skewMs) }),
        ...(version === undefined ? {} : { version }),
      });
    },
    called(peer) {
      change(peer, { lastContactAt: clock.wall() });
    },
    failed(peer, error) {
      const at = clock.wall();
      const { code, message } =
        error instanceof HubError
          ? error
          : { code: "INTERNAL", message: "The hub failed; its log has the reason" };
      const lastError = { at, code, message };
      // The fabric's server does not let this hub in: the peer was not asked.
      const isShutOut = error instanceof HubError && error.details["by"] === "fabric";
      if (code === "PEER_REFUSED" && !isShutOut) {
        const isSecret = error instanceof HubError && error.details["status"] === 401;
        change(peer, {
          reachable: "yes",
          secret: isSecret ? "wrong" : "matched",
          lastContactAt: at,
          lastError,
        });
      } else if (isShutOut || code === "PEER_UNREACHABLE" || code === "PEER_UNTRUSTED") {
        change(peer, {
          reachable: "no",
          lastError,
          ...(code === "PEER_UNTRUSTED" ? { distrusted: { at, message } } : {}),
        });
      } else {
        // It is this hub that failed: that says nothing of the peer.
        change(peer, { lastError });
        log.warn({ peer, error }, "what waits for a peer could not be handed over");
      }
    },
    distrusted(peer, { message }) {
      if (of(peer).distrusted?.message !== message) log.warn({ peer }, message);
      change(peer, { distrusted: { at: clock.wall(), message } });
    },
    waiting(peer, isWaiting) {
      const { waitingSince } = of(peer);
      if (isWaiting !== (waitingSince !== null))
        change(peer, { waitingSince: isWaiting ? clock.wall() : null });
    },
    keepOnly(peers) {
      const names = new Set(peers.map(({ name }) => name));
      for (const name of reports.keys()) if (!names.has(name)) reports.delete(name);
    },
  };
}

const unknownPeer: Omit<PeerReport, "name"> = {
  reachable: "unknown",
  reachableSince: null,
  distrusted: null,
  secret: "unknown",
  lastContactAt: null,
  lastError: null,
  clockSkewMs: null,
  version: null,
  waitingSince: null,
};
