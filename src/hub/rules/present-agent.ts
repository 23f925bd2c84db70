import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { TightViews } from "../../views/tight.js";
import { availableTo } from "./find-agent.js";

/** The agent behind an id, which may have left since the id was looked up. */
export function presentAgent(views: TightViews, id: AgentId, reader: AgentId = HUMAN_ID): Agent {
  const agent = views.roster.byId(id);
  if (agent === undefined || agent.goneAt !== null) {
    throw new HubError("AGENT_GONE", `Agent "${agent?.name ?? id}" has left`, {
      available: availableTo(views, reader),
    });
  }
  return agent;
}

export function isPresent(views: TightViews, id: AgentId): boolean {
  const agent = views.roster.byId(id);
  return agent !== undefined && agent.goneAt === null;
}

/** Whoever speaks: its token may have outlived it. */
export function presentSender(id: string, views: TightViews): Agent {
  const sender = views.roster.byId(id);
  if (sender === undefined || sender.goneAt !== null) {
    throw new HubError("UNAUTHENTICATED", "The sender has left this hub");
  }
  return sender;
}
