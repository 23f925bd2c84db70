import type { AgentId } from "./agent.js";
import type { MessageId } from "./message.js";

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
};

/** When a request that is open from `now` on is nudged, and when it expires. */
export function deadlines(now: number, timeoutMs: number): { nudgeAt: number; expiresAt: number } {
  return { nudgeAt: now + Math.ceil(timeoutMs / 2), expiresAt: now + timeoutMs };
}
