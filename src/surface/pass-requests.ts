import { partyOf } from "../hub/commands/claim-across-hubs.js";
import { recallRecipient } from "../hub/rules/find-recipient.js";
import type { Agent, AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import { type ClaimThere, idThere, type RequestId } from "../model/request.js";
import type { HubPorts } from "./ports.js";

type Ports = Pick<HubPorts, "views" | "peers">;

/**
 * Of what an agent claimed of other hubs: asks these hubs to give it to the one that it hands over to, as only they decide who has it. Answers
 * those that did. What cannot be asked for now stays with the agent, and the handoff says so.
 */
export async function passRequests(
  { views, peers }: Ports,
  { by, agent, to }: { by: AgentId; agent: AgentId; to: string },
): Promise<RequestId[]> {
  const from = views.roster.byId(agent);
  const heir = recallRecipient(views, to, by);
  const claimed = views.requests.claimedBy(agent).filter(({ hub }) => hub !== undefined);
  if (from === undefined || heir === undefined || heir.id === agent) return [];
  const passed = await Promise.all(
    claimed.map(async (request) => {
      const party = heirThere({ views }, heir, request.hub ?? "");
      if (party === undefined) return [];
      try {
        const asked = { request: idThere(request), by: partyOf(from), heir: party };
        return (await peers.claim(request.hub ?? "", asked)).passed === true ? [request.id] : [];
      } catch (error) {
        if (error instanceof HubError) return [];
        throw error;
      }
    }),
  );
  return passed.flat();
}

/** As the hub of the request knows the heir; undefined where that one is of a third hub, or was never heard of. */
function heirThere({ views }: Pick<Ports, "views">, heir: Agent, hub: string): ClaimThere["heir"] {
  if (heir.hub === null) return partyOf(heir);
  const known = views.peers.agent(heir.id);
  if (known === undefined || known.peer !== hub || known.remote === null) return undefined;
  return { id: known.remote, name: known.name, team: heir.team, yours: true };
}
