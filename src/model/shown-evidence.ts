import type { AgentId, AgentStatus } from "./agent.js";
import type { Viewer } from "./viewer.js";

/**
 * Why an agent has its status, as this viewer may read it. Of one whose process failed these are the process's own words, of
 * one that asks the person those of its screen. They may be about anybody's mail: they are for those who see its life.
 */
export function shownEvidence(
  { agent, status, evidence }: { agent: AgentId; status: AgentStatus; evidence: string },
  viewer: Viewer,
): string {
  if (viewer.kind === "operator" || viewer.role === "orchestrator" || viewer.id === agent) return evidence;
  if (status === "error") return "it failed, and is tried again";
  if (status === "waiting") return "it waits for the person";
  return status === "dormant" ? "it has no process now" : evidence;
}
