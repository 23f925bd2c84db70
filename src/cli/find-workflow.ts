import type { HubClient } from "../client/hub-client.js";
import { findId } from "./short-id.js";

const NEWEST = 100;

/** By the end of its id, among the newest. */
export function findWorkflow(client: HubClient, given: string): Promise<string> {
  return findId(given, "workflows", async () => {
    const { workflows } = await client.workflows({ limit: NEWEST });
    return workflows.map(({ workflow_id }) => workflow_id);
  });
}
