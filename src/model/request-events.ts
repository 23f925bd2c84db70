import type { AgentId } from "./agent.js";
import type { MessageId } from "./message.js";
import type { OpenRequest, RequestId } from "./request.js";

/** What becomes of a request. */
export type RequestEvents = {
  RequestOpened: { request: OpenRequest };
  /** `passed`: whoever had claimed it handed it over, to one whose hub may not have heard of it. */
  RequestClaimed: { request: RequestId; from: AgentId; by: AgentId; byName: string; passed?: true };
  /** The claimer is gone; it is open again, with its whole time before it. */
  RequestReopened: {
    request: RequestId;
    from: AgentId;
    by: AgentId;
    reason: string;
    expiresAt: number;
    nudgeAt: number;
  };
  RequestAnswered: { request: RequestId; from: AgentId; by: AgentId; byName: string; message: MessageId };
  RequestNudged: { request: RequestId; from: AgentId; by: AgentId };
  RequestExpired: { request: RequestId; from: AgentId };
};
