import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import type { Ack, Batch } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";

/**
 * Keeps the mail of each peer to `agent-comms.rate`: so many messages within a minute. A plain daemon is refused what is too much;
 * of a hub's batch as much is taken as there is room for, and the rest comes again. Receipts are no mail and always pass.
 */
export type PeerRate = {
  /** One message; throws RATE_LIMITED. */
  addMessage(peer: PeerName): void;
  /** What may be taken of a batch now; throws RATE_LIMITED when that is nothing. */
  cut(peer: PeerName, batch: Batch): Batch;
  /** What was taken of it. Frames that come again count once. */
  addFrames(peer: PeerName, batch: Batch, ack: Ack): void;
  keepOnly(peers: readonly Peer[]): void;
};

const MINUTE_MS = 60_000;
/** Mail of one second is counted together: a minute is never more than so many entries. */
const STEP_MS = 1000;

type Counted = {
  steps: { at: number; count: number }[];
  /** Up to where its frames were counted. */
  frames: { epoch: string; upTo: number };
};

/** `perMinute` 0: no limit. */
export function createPeerRate(clock: Clock, perMinute: number): PeerRate {
  const peers = new Map<PeerName, Counted>();

  function counted(peer: PeerName): Counted {
    const found = peers.get(peer) ?? { steps: [], frames: { epoch: "", upTo: 0 } };
    const since = clock.monotonic() - MINUTE_MS;
    found.steps = found.steps.filter(({ at }) => at > since);
    peers.set(peer, found);
    return found;
  }

  function add({ steps }: Counted, count: number) {
    const now = clock.monotonic();
    const last = steps.at(-1);
    // Of a second its end counts, so that no minute has more.
    if (last !== undefined && last.at > now) last.count += count;
    else steps.push({ at: (Math.floor(now / STEP_MS) + 1) * STEP_MS, count });
  }

  const room = ({ steps }: Counted) => perMinute - steps.reduce((sum, { count }) => sum + count, 0);

  function tooMuch(peer: PeerName, { steps }: Counted): HubError {
    const oldest = steps[0]?.at ?? clock.monotonic();
    return new HubError(
      "RATE_LIMITED",
      `"${peer}" may send ${perMinute} messages a minute here; send this one again later`,
      { retry_after_ms: Math.max(STEP_MS, Math.ceil(oldest + MINUTE_MS - clock.monotonic())) },
    );
  }

  return {
    addMessage(peer) {
      if (perMinute === 0) return;
      const found = counted(peer);
      if (room(found) <= 0) throw tooMuch(peer, found);
      add(found, 1);
    },
    cut(peer, batch) {
      if (perMinute === 0) return batch;
      const found = counted(peer);
      let left = room(found);
      const end = batch.frames.findIndex((frame) => isNewMail(found, batch, frame) && --left < 0);
      if (end === 0) throw tooMuch(peer, found);
      return end === -1 ? batch : { ...batch, frames: batch.frames.slice(0, end) };
    },
    addFrames(peer, batch, { epoch, upTo }) {
      if (perMinute === 0) return;
      const found = counted(peer);
      const taken = batch.frames.filter((frame) => frame.n <= upTo && isNewMail(found, batch, frame));
      if (taken.length > 0) add(found, taken.length);
      found.frames = { epoch, upTo };
    },
    keepOnly(now) {
      const names = new Set(now.map(({ name }) => name));
      for (const name of peers.keys()) if (!names.has(name)) peers.delete(name);
    },
  };
}

function isNewMail({ frames }: Counted, { epoch }: Batch, { n, kind }: Batch["frames"][number]): boolean {
  return kind === "mail" && !(frames.epoch === epoch && n <= frames.upTo);
}
