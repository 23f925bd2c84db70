import type { AgentList, HubClient } from "../client/hub-client.js";

const PAGE = 500;

/** Every page of the roster. */
export async function listAllAgents(client: HubClient, team?: string): Promise<AgentList["agents"]> {
  const agents: AgentList["agents"] = [];
  let cursor: string | null = null;
  do {
    const page: AgentList = await client.listAgents({
      limit: PAGE,
      ...(team === undefined ? {} : { team }),
      ...(cursor === null ? {} : { cursor }),
    });
    agents.push(...page.agents);
    cursor = page.next;
  } while (cursor !== null);
  return agents;
}
