import type { Agent, AgentId } from "../../model/agent.js";
import { type Decision, decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext, HubDecider } from "../context.js";
import { findRequest, ownRequest } from "../rules/find-request.js";
import { presentSender } from "../rules/present-agent.js";
import { claimNotice, requestClaimed } from "../rules/request-claimed.js";
import { seenByNaming } from "../rules/request-mail.js";

type ClaimRequest = { agent: AgentId; request: RequestId };

export type ClaimedRequest = { claimed: boolean; request: Request };

/** The first to claim has it. Losing is an answer, not an error; claiming again what is one's own changes nothing. */
export const claimRequest: HubDecider<ClaimRequest, ClaimedRequest> = (input, context) => {
  const agent = presentSender(input.agent, context.views);
  const request = findRequest(context, input.request);
  if (request.hub !== undefined && request.state.kind === "open") {
    throw new HubError("OWNER_UNREACHABLE", `Who has it is decided by the hub "${request.hub}"`);
  }
  return decideRequest(context, agent, request);
};

/** The same for whoever claims it, here or on another hub. */
export function decideRequest(context: HubContext, agent: Agent, request: Request): Decision<ClaimedRequest> {
  if (request.from === agent.id) throw ownRequest(request);
  if (request.state.kind !== "open") {
    const claimed = request.state.kind !== "expired" && request.state.by === agent.id;
    return decided([], { claimed, request });
  }
  return decided(
    [
      requestClaimed(request, agent),
      ...seenByNaming(context, agent.id, request.id),
      ...claimNotice(context, request, agent),
    ],
    { claimed: true, request: { ...request, state: { kind: "claimed", by: agent.id, byName: agent.name } } },
  );
}
