import type { HubId } from "./link.js";
import type { PeerName } from "./peer.js";

/** What is known of one hub of the same fabric. Times are wall time. */
type FabricContact = {
  name: PeerName;
  hubId: HubId;
  /** Those that are watched were asked just now; `unknown`: it has not answered within a second. Others as of the last time. */
  presence: "yes" | "no" | "unknown";
  lastContactAt: number | null;
  lastAckAt: number | null;
  /** Messages that it has not acknowledged, and since when the oldest of them waits. */
  waiting: number;
  oldestAt: number | null;
};

/** `twin`: another hub with this one's key was there first. */
export type FabricStatus = {
  fabric: string;
  hubId: HubId;
  servers: readonly string[];
  isSteward: boolean;
  expiresAt: number;
  connection: "connected" | "away" | "refused" | "twin";
  since: number | null;
  problem: string | null;
  /** What ends soon, and the command that renews it. */
  warning: { text: string; fix: string } | null;
  /** Batches that wait in this hub's mailbox; null while nobody can say. */
  mailbox: number | null;
  contacts: readonly FabricContact[];
};

/** This hub's place on the fabric: for the operator. */
export type FabricDesk = {
  /** Undefined: it has joined none. */
  status(): Promise<FabricStatus | undefined>;
  /** A line for the steward. The keys in it are made on first use, and stay. */
  request(): Promise<{ line: string; name: string; hubId: HubId }>;
  join(line: string): Promise<FabricStatus>;
  /** Hubs that only the fabric reached are peers no more: what waits for them comes back to its senders. */
  leave(): Promise<{ fabric: string; removed: readonly PeerName[] }>;
};
