import { partyOf } from "../hub/commands/claim-across-hubs.js";
import type { ClaimedRequest } from "../hub/commands/claim-request.js";
import { presentSender } from "../hub/rules/present-agent.js";
import type { AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import { idThere, type RequestId } from "../model/request.js";
import type { Request } from "../views/requests.js";
import type { HubPorts } from "./ports.js";

/** `code`: nobody was given it, since its hub could not be asked; `error` says why. */
type Claimed = ClaimedRequest & { code?: "OWNER_UNREACHABLE"; error?: string };

/** Claims a request of this hub, or of another one, which is then asked: it alone decides who has it. */
export async function claimRequest(ports: HubPorts, agent: AgentId, id: RequestId): Promise<Claimed> {
  const request = ports.views.requests.byId(id);
  const isElsewhere =
    request?.hub !== undefined && request.state.kind === "open" && request.expiresAt > ports.now();
  if (request === undefined || !isElsewhere) return ports.execute("claimRequest", { agent, request: id });
  try {
    const answer = await ports.peers.claim(request.hub ?? "", {
      request: idThere(request),
      by: partyOf(presentSender(agent, ports.views)),
    });
    return await ports.execute("recordPeerClaim", { agent, request: id, answer });
  } catch (error) {
    return notDecided(error, request);
  }
}

const OVER = new Set<unknown>(["REQUEST_EXPIRED", "REQUEST_NOT_FOUND"]);

function notDecided(error: unknown, request: Request): Claimed {
  const { id, hub = "" } = request;
  if (!(error instanceof HubError) || error.code === "UNAUTHENTICATED") throw error;
  if (OVER.has(error.details["peer_code"])) {
    throw new HubError("REQUEST_EXPIRED", `"${hub}" has this request no more: it expired there`, {
      request_id: id,
    });
  }
  const why = `The hub "${hub}" decides who has it, and could not be asked (${error.message}). Claim it again later: if the claim came through, it is yours`;
  return { claimed: false, request, code: "OWNER_UNREACHABLE", error: why };
}
