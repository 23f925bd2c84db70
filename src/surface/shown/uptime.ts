import type { Agent } from "../../model/agent.js";
import type { HubPorts } from "../ports.js";

/**
 * For how many seconds an agent is up. Of one that the hub runs: its process, which can be begun again, and 0 without one.
 * Of others: since it registered, or came back from the dead; silence of one that promised no heartbeats says nothing.
 */
export function uptimeSeconds(agent: Agent, { hosting, wall }: Pick<HubPorts, "hosting" | "wall">): number {
  const since = agent.runtime === null ? cameAt(agent) : hosting.startedAt(agent.id);
  return since === undefined ? 0 : Math.max(0, Math.floor((wall() - since) / 1000));
}

function cameAt({ heartbeat, status, statusSince, registeredAt }: Agent): number | undefined {
  if (status === "dead") return undefined;
  return heartbeat ? statusSince : registeredAt;
}
