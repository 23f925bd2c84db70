import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { TightViews } from "../../views/tight.js";
import { availableTo, livesElsewhere } from "./find-agent.js";

/** The agent of this hub behind an id, which may have left since the id was looked up. */
export function presentAgent(views: TightViews, id: AgentId, reader: AgentId = HUMAN_ID): Agent {
  const agent = views.roster.byId(id);
  if (agent === undefined || agent.goneAt !== null) {
    throw new HubError("AGENT_GONE", `Agent "${agent?.name ?? id}" has left`, {
      available: availableTo(views, reader),
    });
  }
  if (agent.hub !== null) throw livesElsewhere(agent.name, agent.hub);
  return agent;
}

/** It is an agent of this hub, and has not left. */
export function isPresent(views: TightViews, id: AgentId): boolean {
  const agent = views.roster.byId(id);
  return agent !== undefined && agent.goneAt === null && agent.hub === null;
}

/** It can be written to, here or on another hub. */
export function isReachable(views: TightViews, id: AgentId): boolean {
  return views.roster.byId(id)?.goneAt === null;
}

/** Whoever speaks: its token may have outlived it. */
export function presentSender(id: string, views: TightViews): Agent {
  const sender = views.roster.byId(id);
  if (sender === undefined || sender.goneAt !== null || sender.hub !== null) {
    throw new HubError("UNAUTHENTICATED", "The sender has left this hub");
  }
  return sender;
}
