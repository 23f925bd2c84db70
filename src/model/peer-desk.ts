import type { AgentId } from "./agent.js";
import type { DirectoryEntry, HubId } from "./link.js";
import type { Peer, PeerName } from "./peer.js";
import type { ClaimThere, PeerClaim } from "./request.js";

/** A peer, with what is known of it since this hub started. Times are wall time. */
export type PeerState = Peer & {
  reachable: "yes" | "no" | "unknown";
  /** Since when it is so. */
  reachableSince: number | null;
  /** The last time that somebody with its secret was refused, for a key that is not its own or one that two hubs use. */
  distrusted: { at: number; message: string } | null;
  secretState: "matched" | "wrong" | "missing" | "unknown" | "none";
  lastContactAt: number | null;
  lastError: { at: number; code: string; message: string } | null;
  /** How far its clock is ahead of ours. */
  clockSkewMs: number | null;
  version: string | null;
  /** Messages that it has not taken, and since when the oldest of them waits. */
  waiting: number;
  oldestAt: number | null;
};

/** This hub, as others know it. `port`: where they call, while anything listens. */
type OwnPlace = { name: string; hubId: HubId; host: string; port: number | null };

/** `secret`: where it is kept; without one the common secret counts. */
type NewPeer = {
  name: PeerName;
  host: string;
  port: number;
  label?: string | undefined;
  secret?: string | undefined;
};

/** Somebody of another hub. `name`: the address by which it is written to. */
export type KnownElsewhere = {
  name: string;
  hub: PeerName;
  status: DirectoryEntry["status"];
  evidence: string;
  isPerson?: true;
};

/** Somebody of this hub or of another one that was asked just now. `name`: the address by which it is written to; `hub`: null for this one. */
export type FoundAgent = {
  name: string;
  hub: string | null;
  status: DirectoryEntry["status"];
  isPerson?: true;
};

/** Why the agents of a hub are not listed, or not all. `unlisted`, of no hub: which hubs there are could not be asked. */
export type HubProblem = {
  hub: string | null;
  kind: "no_answer" | "refused" | "untrusted" | "cut" | "unlisted";
  problem: string;
};

export type EverywherePage = {
  agents: readonly FoundAgent[];
  problems: readonly HubProblem[];
  next: string | null;
};

/** Links to other hubs: for the operator, but for what agents may ask too. */
export type PeerDesk = {
  /** Undefined while this hub has no link and never had one. */
  self(): OwnPlace | undefined;
  /** Why links do not run, though they should. */
  problem(): string | undefined;
  list(): readonly PeerState[];
  invite(): Promise<{ line: string; expiresAt: number }>;
  join(line: string, name: PeerName | undefined): Promise<PeerState>;
  add(peer: NewPeer): Promise<PeerState>;
  remove(name: PeerName): Promise<void>;
  ping(name: PeerName): Promise<PeerState>;
  /** Who is there, by what its hub tells now. */
  agents(name: PeerName): Promise<readonly DirectoryEntry[]>;
  /** Everybody of other hubs that is known of, in order of hubs and names. For agents too. */
  elsewhere(): readonly KnownElsewhere[];
  /**
   * Everybody of this hub and of all that it can reach, also hubs of its fabric that are no peers, as they tell now: in order of hubs, this one first, and names. A
   * page may have fewer than `limit` and a `next`. For agents too.
   */
  everywhere(query: { reader: AgentId; limit: number; cursor?: string | undefined }): Promise<EverywherePage>;
  /**
   * For an address on a hub that is no peer: if its fabric has one of that name or id, that is a peer from now on, unless it says that nobody there is meant. The
   * address by which mail goes there; undefined where this hub has no fabric to ask. Rejects where that has no such hub.
   */
  reach(address: string): Promise<string | undefined>;
  /** Asks the hub of a request for it. Rejects where that cannot be asked, or refuses. */
  claim(name: PeerName, claim: ClaimThere): Promise<PeerClaim>;
};
