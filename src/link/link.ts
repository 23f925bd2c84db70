import type { AgentMessage, AgentMessageResponse } from "../contract/link/agent-message.js";
import { HubError } from "../model/errors.js";
import type { Ack, Batch, DirectoryEntry, DirectoryNews, DirectoryPage, HubId } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { ClaimThere, PeerClaim } from "../model/request.js";

/**
 * A wire to other hubs. It may lose, repeat and reorder; what numbers and acknowledgements make of that is not its business.
 *
 * An adapter
 * - MUST sign each batch with the hub's key, and resolve `send` only with an ack that the peer itself signed;
 * - MUST NOT take silence, garbage or a half answer for success: it rejects with PEER_UNREACHABLE, within its own time limit;
 * - MUST reject with PEER_REFUSED what the peer refused, with the `status` in its details, and with PEER_UNTRUSTED whatever
 *   another key has signed than the peer's. Where others can speak in the peer's place, what is not signed by it is silence;
 * - MUST bound what it reads of an answer, and follow no redirect;
 * - MUST NOT try again by itself once the peer may have read a message, unless the peer absorbs repeats;
 * - MUST call `onHeard` whenever a peer answered, before the promise resolves;
 * - MUST, once closed, reject at once what is under way and whatever comes later, and leave no socket or timer behind.
 */
export type Link = {
  send(peer: Peer, batch: Batch): Promise<Ack>;
  /**
   * How many batches may be under way to it now, each handed over before the one ahead of it is acknowledged. They MUST then leave in the
   * order of the calls. Default: one.
   */
  ahead?(peer: Peer): number;
  request<K extends keyof RpcAnswers>(peer: Peer, kind: K, ...said: Said<K>): Promise<RpcAnswers[K]>;
  /** To a daemon of document 004. */
  sendPlain(peer: Peer, message: AgentMessage): Promise<AgentMessageResponse>;
  close(): Promise<void>;
};

/** What hubs ask each other, and what they are told. */
export type RpcAnswers = {
  ping: { hub: HubId; key: string; name: string; version: string; at: number; have?: Have; run?: string };
  /** Document 004's heartbeat, which plain daemons may know too. */
  status: { name: string; status: "idle" | "busy" | "offline"; at: string };
  /** `next`, of a page: there are more. `leftOut`: so many on it were no agents, or came twice. */
  directory: {
    agents: readonly DirectoryEntry[];
    rev?: string | undefined;
    next?: string;
    leftOut?: number;
    version: string;
    at: number;
  };
  /** Who has a request of the peer, once an agent of this hub claims it. Claimed twice by the same one, it is claimed once. */
  claim: PeerClaim & { version: string; at: number };
  /** That something changed in the directory of this hub. */
  presence: { version: string; at: number; stop?: true };
};

/** What some of the questions say besides themselves. */
export type RpcWords = {
  claim: ClaimThere;
  presence: DirectoryNews;
  /** Without a page: all of it, and to be told of changes. */
  directory: { page: DirectoryPage } | undefined;
};

export type Said<K> = K extends keyof RpcWords
  ? undefined extends RpcWords[K]
    ? [said?: RpcWords[K]]
    : [said: RpcWords[K]]
  : [];

/** Up to where a hub has the frames of the other; null: it has none of them. */
export type Have = { epoch: string; upTo: number } | null;

/** What an answer tells besides itself. `skewMs`: how far the peer's clock is ahead of ours. */
export type Heard = { skewMs?: number; version?: string };

export type OnHeard = (peer: PeerName, heard: Heard) => void;

/** Where secrets come from. They are asked for each time: a person may change them while the hub runs. */
export type LinkSecrets = {
  /** The one of all peers that have none of their own. */
  common(): string | undefined;
  /** The one that is used with this peer: its own, else the common one. */
  of(peer: Peer): string | undefined;
};

/** What whatever a closed adapter is asked for is answered with. */
export function linkClosed(): HubError {
  return new HubError("SHUTTING_DOWN", "The hub is stopping; nothing more goes out to peers");
}
