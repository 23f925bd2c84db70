import { type Agent, type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { HubContext } from "../context.js";
import { presentAgent } from "./present-agent.js";

/** The person ends anyone; an orchestrator anyone but orchestrators; an agent those below it. */
export function stoppable({ views }: HubContext, { agent: id, by }: { agent: AgentId; by: AgentId }): Agent {
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
