import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubDecider } from "../context.js";
import { findRequest } from "../rules/find-request.js";
import { nudge } from "../rules/nudge.js";
import { presentSender } from "../rules/present-agent.js";
import { checkRequestPace } from "../rules/request-limits.js";

type NudgeRequest = { agent: AgentId; request: RequestId };

type NudgedRequest = { nudged: boolean; request: Request };

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
  if (request.hub !== undefined) {
    throw new HubError("FORBIDDEN", `This request is of "${request.hub}": it is nudged there`);
  }
  if (request.state.kind !== "open") return decided([], { nudged: false, request });
  if (request.nudges >= context.limits.requestNudgeCap) {
    throw new HubError(
      "RATE_LIMITED",
      `This request was nudged ${request.nudges} times already; post another, or wait`,
      { request_id: request.id, retry_after_ms: Math.max(1, Math.ceil(request.expiresAt - context.now)) },
    );
  }
  checkRequestPace(agent, context);
  return decided(nudge(context, request, { by: agent.id, except: [] }), {
    nudged: true,
    request: { ...request, nudges: request.nudges + 1 },
  });
};
