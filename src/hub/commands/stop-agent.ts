import { type Agent, type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { HubContext, HubDecider } from "../context.js";
import { leave } from "../rules/leave.js";
import { notify } from "../rules/notify.js";
import { isPresent, presentAgent } from "../rules/present-agent.js";
import { tellParent } from "../rules/tell-parent.js";
import { statusChange } from "./record-presence.js";

export type ShutdownAgent = { agent: AgentId; by: AgentId; reason?: string | undefined };

export type ShutdownAsked = { hosted: boolean; messageId: string };

/**
 * Asks an agent to finish what it is at and end. A hosted one is ended by the hub once its turn is over; an attached one
 * reads it, and ends itself.
 */
export const shutdownAgent: HubDecider<ShutdownAgent, ShutdownAsked> = (input, context) => {
  const agent = stoppable(context, input);
  const messageId = context.newId();
  const asked = newEvent("ShutdownRequested", agent.id, {
    agent: agent.id,
    by: input.by,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
  });
  const word = notify(context, {
    id: messageId,
    from: input.by,
    to: [agent.id],
    type: "shutdown",
    content: `Finish what you are at, then end. ${input.reason ?? ""}`.trim(),
    attention: agent.runtime === null ? "queue" : "fyi",
  });
  return decided([asked, word], { hosted: agent.runtime !== null, messageId });
};

/** Ends an agent that the hub runs, at once. */
export const killAgent: HubDecider<{ agent: AgentId; by: AgentId }, void> = (input, context) => {
  const agent = stoppable(context, input);
  if (agent.runtime === null) {
    throw new HubError(
      "NOT_HOSTED",
      `"${agent.name}" was not started by this hub, so it cannot be killed; ask it to shut down, or deregister it`,
      { name: agent.name },
    );
  }
  return decided([newEvent("KillRequested", agent.id, { agent: agent.id, by: input.by })], undefined);
};

/** The person ends anyone; an orchestrator anyone but orchestrators; an agent those below it. */
function stoppable({ views }: HubContext, { agent: id, by }: { agent: AgentId; by: AgentId }): Agent {
  const agent = presentAgent(views, id);
  if (agent.role === "human")
    throw new HubError("FORBIDDEN", "The person is not an agent and cannot be stopped");
  if (by === HUMAN_ID || by === HUB_ID) return agent;
  const asker = presentAgent(views, by);
  if (asker.role === "orchestrator" && agent.role !== "orchestrator") return agent;
  for (let above = agent.parent; above !== null; above = views.roster.byId(above)?.parent ?? null) {
    if (above === by) return agent;
  }
  throw new HubError(
    "FORBIDDEN",
    `"${asker.name}" may stop the agents that it spawned; "${agent.name}" is an orchestrator's or the person's to stop`,
  );
}

/** A hosted agent ended because it was asked to: it is gone. */
export const recordGone: HubDecider<{ agent: AgentId; reason: "shutdown" | "killed" }, void> = (
  input,
  context,
) => {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null) return decided([], undefined);
  const why = input.reason === "killed" ? `${agent.name} was killed` : `${agent.name} was shut down`;
  return decided(leave(context, agent, input.reason, why), undefined);
};

/** Its process ended on purpose and it can be taken up again: it was idle for long, or the hub stops. */
export const recordStopped: HubDecider<{ agent: AgentId; reason: "idle" | "hub_stop" }, void> = (
  { agent, reason },
  context,
) => {
  if (!isPresent(context.views, agent)) return decided([], undefined);
  const evidence = reason === "idle" ? "unloaded after being idle" : "the hub stopped";
  return decided(
    [
      newEvent("AgentStopped", agent, { agent, reason }),
      ...statusChange(context, { agent, status: "dormant", evidence }),
    ],
    undefined,
  );
};

export type RecordSpawnFailed = { agent: AgentId; code: string; error: string };

/** A new agent never came up: it goes as if it had not been. */
export const recordSpawnFailed: HubDecider<RecordSpawnFailed, void> = (input, context) => {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null) return decided([], undefined);
  return decided(
    [
      newEvent("SpawnFailed", agent.id, { ...input }),
      ...leave(context, agent, "failed", `${agent.name} did not start: ${input.error}`),
      ...(agent.parent === null ? [] : tellParent(context, agent, "has failed", input.error, "It is gone.")),
    ],
    undefined,
  );
};
