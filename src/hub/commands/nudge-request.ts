import { type AgentId, HUB_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext, HubDecider } from "../context.js";
import { findRequest } from "../rules/find-request.js";
import { notify } from "../rules/notify.js";
import { audience, nudgeId } from "../rules/request-mail.js";
import { presentSender } from "./send-message.js";

export type NudgeRequest = { agent: AgentId; request: RequestId };

export type NudgedRequest = { nudged: boolean; request: Request };

/** Reminds everybody of a request that nobody has claimed. When somebody has, there is nothing to remind of. */
export const nudgeRequest: HubDecider<NudgeRequest, NudgedRequest> = (input, context) => {
  const agent = presentSender(input.agent, context.views);
  const request = findRequest(context, input.request);
  if (agent.role === "agent" && request.from !== agent.id) {
    throw new HubError(
      "FORBIDDEN",
      `Only "${request.fromName}", an orchestrator or the person nudges for it`,
    );
  }
  if (request.state.kind !== "open") return decided([], { nudged: false, request });
  if (request.nudges >= context.limits.requestNudgeCap) {
    throw new HubError(
      "RATE_LIMITED",
      `This request was nudged ${request.nudges} times already; post another, or wait`,
      { request_id: request.id, retry_after_ms: Math.max(1, Math.ceil(request.expiresAt - context.now)) },
    );
  }
  return decided(nudge(context, request, { by: agent.id, except: [] }), {
    nudged: true,
    request: { ...request, nudges: request.nudges + 1 },
  });
};

/** Its alarm rang: half of the request's time is over. One from before it was reopened means nothing any more. */
export function nudgeUnclaimed(context: HubContext, id: RequestId): NewEvent[] {
  const request = context.views.requests.byId(id);
  if (request === undefined || request.state.kind !== "open") return [];
  const halfway = request.expiresAt - Math.floor(request.timeoutMs / 2);
  if (context.now < halfway || context.now >= request.expiresAt) return [];
  if (request.nudges >= context.limits.requestNudgeCap) return [];
  return nudge(context, request, { by: HUB_ID, except: [] });
}

/** In the words and the name of whoever asked: a reply goes to them. */
export function nudge(
  context: HubContext,
  request: Request,
  { by, except }: { by: AgentId; except: readonly AgentId[] },
): NewEvent[] {
  return [
    newEvent("RequestNudged", request.from, { request: request.id, from: request.from, by }),
    notify(context, {
      id: nudgeId(request.id, request.nudges + 1),
      from: request.from,
      to: audience(context, [request.from, ...except]).map(({ id }) => id),
      toName: "all",
      type: "nudge",
      content: request.description,
      context: request.context,
      attention: "queue",
      requestId: request.id,
    }),
  ];
}
