import type { Agent, AgentId, AgentStatus } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext, HubDecider } from "../context.js";
import { notify } from "../rules/notify.js";
import { releaseClaimsOf } from "../rules/release-claims.js";

export type RecordPresence = {
  agent: AgentId;
  status: AgentStatus;
  evidence: string;
  /** Of one that fell silent: when it was last heard of, in wall time. */
  lastSeen?: number;
};

/** Notes that an agent fell silent or came back; nothing when that is known already or the agent has left. */
export const recordPresence: HubDecider<RecordPresence, void> = (input, context) =>
  decided(statusChange(context, input), undefined);

export function statusChange(context: HubContext, input: RecordPresence): NewEvent[] {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null || agent.status === input.status) return [];
  const events = [newEvent("PresenceChanged", agent.id, { ...input })];
  if (input.status === "dead") events.push(...tellOfDeath(agent, input.evidence, context));
  if (input.status === "dead") events.push(...releaseClaimsOf(context, agent.id, "died"));
  return events;
}

/** Orchestrators are told; what to do about it is theirs to decide. */
function tellOfDeath(agent: Agent, evidence: string, context: HubContext): NewEvent[] {
  const orchestrators = context.views.roster
    .present()
    .filter(({ role, id }) => role === "orchestrator" && id !== agent.id)
    .map(({ id }) => id);
  if (orchestrators.length === 0) return [];
  return [
    notify(context, {
      to: orchestrators,
      toName: "orchestrators",
      type: "system",
      content: `Agent ${agent.name} is dead: ${evidence}. Its mail waits; requests and work that it had claimed are free again.`,
      attention: "fyi",
      metadata: { death: agent.name },
    }),
  ];
}
