import type { AgentId } from "./agent.js";
import type { HubId } from "./link.js";
import type { PeerName } from "./peer.js";

/**
 * "I am on it": who works on a task, until when (hub time) unless renewed. `hub`: it is a claim of that hub, made `since` by the clock there.
 */
export type WorkClaim = {
  task: string;
  owner: AgentId;
  ownerName: string;
  until: number;
  hub?: PeerName;
  since?: number;
};

/** `hubId`: of the hub whose claim it is; null where it has none. */
type Beginning = { since: number; hubId: HubId | null };

/** Between two hubs the earlier claim goes first; of the same moment, that of the hub with the smaller id. Both come to the same. */
export function goesFirst(one: Beginning, other: Beginning): boolean {
  if (one.since !== other.since) return one.since < other.since;
  return other.hubId === null || (one.hubId !== null && one.hubId < other.hubId);
}
