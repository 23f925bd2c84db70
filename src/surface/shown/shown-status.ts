import type { Agent, AgentStatus } from "../../model/agent.js";
import type { HubPorts } from "../ports.js";

/** `rate_limited` is not stored: it is an agent at rest whose own mail is held back now. */
export function isLimited(agent: Agent, { views, now }: HubPorts): boolean {
  return agent.status === "idle" && views.pairs.isHolding(agent.id, now());
}

export function shownStatus(agent: Agent, ports: HubPorts): AgentStatus {
  return isLimited(agent, ports) ? "rate_limited" : agent.status;
}

/** When it was last heard of, as wall time. */
export function lastActive(agent: Agent, { presence }: HubPorts): number {
  return Math.max(agent.lastActive, presence.lastSeen(agent.id) ?? 0);
}
