import type { HubClient } from "../client/hub-client.js";
import { nameIn } from "../model/address.js";
import { listAllAgents } from "./agent-names.js";
import { isIdPart, matchId } from "./short-id.js";

/** The name of the agent that is meant by a name, or by the end of its id; names come first. */
export async function findAgent(client: HubClient, given: string): Promise<string> {
  if (!isIdPart(given)) return given; // Nobody who typed a name waits for a list of agents.
  const agents = await listAllAgents(client);
  if (agents.some(({ name }) => nameIn(name) === given)) return given;
  const id = matchId(
    given,
    agents.map((agent) => agent.id),
    "agents",
  );
  return agents.find((agent) => agent.id === id)?.name ?? given;
}
