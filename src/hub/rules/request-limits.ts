import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { PeerName } from "../../model/peer.js";
import type { HubContext } from "../context.js";

/*
 * A request and its nudges go to everybody and have no cooldown, so what one agent asks for is limited as a whole: in
 * number, and in how fast it comes. The person is not limited, and is not refused because of what agents asked for.
 */

const MINUTE_MS = 60_000;

/** Refuses a request more than may be open: of this agent, or of all. */
export function checkOpenRequests({ id }: Agent, { views, limits }: HubContext): void {
  if (id === HUMAN_ID) return;
  if (views.requests.openCountOf(id) >= limits.requestAgentCap) {
    throw new HubError(
      "REQUESTS_FULL",
      `${limits.requestAgentCap} requests of yours are open already (requests.agent_cap); ` +
        "ask again once some are claimed or have expired",
      { cap: limits.requestAgentCap },
    );
  }
  // What other hubs share has a limit of its own: however much that is, agents here can still ask.
  const { openCount, openCountOf, openCountFrom } = views.requests;
  if (openCount() - openCountOf(HUMAN_ID) - openCountFrom() >= limits.requestOpenCap) {
    throw new HubError(
      "REQUESTS_FULL",
      `${limits.requestOpenCap} requests are open already; ask again once some are claimed`,
      { cap: limits.requestOpenCap },
    );
  }
}

/** The same for one that another hub shares: of this agent of it, or of all. `opened`: what this command opened of each before. */
export function checkPeerRequests(
  peer: PeerName,
  { id }: Agent,
  opened: ReadonlyMap<AgentId, number>,
  { views, limits }: HubContext,
): void {
  const all = [...opened.values()].reduce((sum, count) => sum + count, 0);
  const isFull =
    views.requests.openCountOf(id) + (opened.get(id) ?? 0) >= limits.requestAgentCap ||
    views.requests.openCountFrom(peer) + all >= limits.peerMail.share;
  if (isFull) throw new HubError("REQUESTS_FULL", `As many requests of ${peer} are open as may be`);
}

/** Refuses to post or nudge faster than one agent may. */
export function checkRequestPace({ id }: Agent, { views, limits, now }: HubContext): void {
  if (id === HUMAN_ID || limits.requestPace === 0) return;
  const asks = views.requests.recentAsks(id, now);
  const oldest = asks[asks.length - limits.requestPace];
  if (oldest === undefined) return;
  throw new HubError(
    "RATE_LIMITED",
    `You posted or nudged requests ${asks.length} times within a minute, which is the limit (requests.pace); ` +
      "go on after retry_after_ms",
    { retry_after_ms: Math.max(1, Math.ceil(oldest + MINUTE_MS - now)) },
  );
}
