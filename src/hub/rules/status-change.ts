import type { Agent, AgentId, AgentStatus } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { addressOf } from "./address-of.js";
import { notify } from "./notify.js";
import { releaseClaimsOf } from "./release-claims.js";

export type StatusChange = {
  agent: AgentId;
  status: AgentStatus;
  evidence: string;
  /** Of one that fell silent: when it was last heard of, in wall time. */
  lastSeen?: number;
  /** Of one that is `limited`: until when, in wall time. */
  until?: number;
};

export function statusChange(context: HubContext, input: StatusChange): NewEvent[] {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null || isKnown(agent, input)) return [];
  const events = [newEvent("PresenceChanged", agent.id, { ...input })];
  if (input.status === "dead") events.push(...tellOfDeath(agent, input.evidence, context));
  if (input.status === "dead") events.push(...releaseClaimsOf(context, agent.id, "died"));
  return events;
}

/** What it waits for is for the person to read: a dialog may follow a draft. */
function isKnown(agent: Agent, { status, evidence }: StatusChange): boolean {
  return agent.status === status && (status !== "waiting" || agent.statusEvidence === evidence);
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
      content: `Agent ${addressOf(context.views, agent, undefined)} is dead: ${evidence}. Its mail waits; requests and work that it had claimed are free again.`,
      attention: "fyi",
      notice: "death",
      metadata: { death: agent.name },
    }),
  ];
}
