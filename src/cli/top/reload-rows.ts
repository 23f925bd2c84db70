import { toAgentRow } from "../../client/agent-row.js";
import type { HubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { listAllAgents } from "../agent-names.js";
import type { AgentRow } from "./top-state.js";

/** More changed agents than these are cheaper to fetch together. */
const FEW = 6;

/** The roster after something happened to some of its agents. */
export async function reloadRows(
  client: HubClient,
  before: readonly AgentRow[],
  changed: ReadonlySet<string> | "all",
): Promise<readonly AgentRow[]> {
  if (changed === "all" || changed.size > FEW) return listAllAgents(client);
  const fetched = new Map(
    await Promise.all([...changed].map(async (id) => [id, await readRow(client, id)] as const)),
  );
  return before.flatMap((row) => (fetched.has(row.id) ? (fetched.get(row.id) ?? []) : row));
}

async function readRow(client: HubClient, id: string): Promise<AgentRow | undefined> {
  try {
    return toAgentRow(await client.showAgent(id));
  } catch (error) {
    if (error instanceof HubError && ["AGENT_NOT_FOUND", "AGENT_GONE"].includes(error.code)) return undefined;
    throw error;
  }
}
