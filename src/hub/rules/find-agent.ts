import type { Agent } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import type { TightViews } from "../../views/tight.js";

/** How many names an error lists: enough to find the right one, not a thousand. */
const LISTED = 50;

/** The agent of that name, or a refusal that says who exists. */
export function findAgent(views: TightViews, name: string): Agent {
  const agent = views.roster.byName(name);
  if (agent !== undefined) return agent;
  const available = views.roster.names(LISTED);
  // Who gave the name up is here: that is newer than anybody of that name who left.
  const held = views.roster.heldName(name);
  const holder = held === undefined ? undefined : views.roster.byId(held.agent);
  if (holder !== undefined) {
    throw new HubError("AGENT_NOT_FOUND", "Agent not found", { name, available, renamed_to: holder.name });
  }
  if (views.roster.goneByName(name) !== undefined) {
    throw new HubError("AGENT_GONE", `Agent "${name}" has left and takes no more mail`, { available });
  }
  const meant = nearest(name, available);
  throw new HubError("AGENT_NOT_FOUND", "Agent not found", {
    name,
    available,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  });
}
