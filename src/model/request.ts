import type { AgentId } from "./agent.js";
import type { Party } from "./link.js";
import type { MessageId } from "./message.js";
import type { PeerName } from "./peer.js";

export type RequestId = string;

/*
 * An open call for help: open → claimed → answered, or expired. Whoever claims first has it; a claimer that goes
 * releases it and it is open again. Unclaimed, it is nudged once at half of its time, and by hand.
 */
export type RequestState =
  | { kind: "open" }
  | { kind: "claimed"; by: AgentId; byName: string }
  | { kind: "answered"; by: AgentId; byName: string; message: MessageId }
  | { kind: "expired" };

export type OpenRequest = {
  id: RequestId;
  from: AgentId;
  fromName: string;
  description: string;
  context?: string;
  /** How long it waits for somebody to claim it. */
  timeoutMs: number;
  /** Hub time. */
  expiresAt: number;
  nudgeAt: number;
  /** The hubs that it is shared with: their agents may claim it. */
  hubs?: readonly PeerName[];
  /** It is another hub's, which decides who has it; here it only stands for that one. */
  hub?: PeerName;
};

/** What a request of another hub is called here. */
export function idFrom(hub: PeerName, id: RequestId): RequestId {
  return `${id}@${hub}`;
}

/** What its own hub calls it. */
export function idThere({ id, hub }: { id: RequestId; hub?: PeerName }): RequestId {
  return hub === undefined ? id : id.slice(0, -(hub.length + 1));
}

/**
 * The claim of a request of another hub, by the id that it has there. `heir`: the claimer has it already, and gives it to this one: an agent of its
 * own hub, or (`yours`) of the one that is asked.
 */
export type ClaimThere = { request: RequestId; by: Party; heir?: Party & { yours?: true } };

/** What the hub of a request answers to that. `by`: who has it, where it is somebody else. `passed`: the heir has it. */
export type PeerClaim = { claimed: boolean; status: RequestState["kind"]; by?: string; passed?: true };

/** The claimer of a request of another hub, where it is nobody of this one: only its name is known. */
export const SOMEBODY_ELSEWHERE: AgentId = "";

/** When a request that is open from `now` on is nudged, and when it expires. */
export function deadlines(now: number, timeoutMs: number): { nudgeAt: number; expiresAt: number } {
  return { nudgeAt: now + Math.ceil(timeoutMs / 2), expiresAt: now + timeoutMs };
}
