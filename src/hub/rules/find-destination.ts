import { fullAddress } from "../../model/address.js";
import { type Agent, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { Destination } from "../../model/link.js";
import type { HubContext } from "../context.js";
import { findAgent } from "./find-agent.js";
import { presentAgent } from "./present-agent.js";

/** Whom mail of another hub is for. By a name it is whoever the person here would reach by it. */
export function findDestination(
  { views, limits }: Pick<HubContext, "views" | "limits">,
  { id, team, name }: Destination,
): Agent {
  if (id === HUMAN_ID) return findAgent(views, "user", HUMAN_ID);
  if (id !== undefined) {
    if (id === HUB_ID || views.roster.byId(id) === undefined)
      throw new HubError("AGENT_NOT_FOUND", `No agent has the id "${id}"`);
    return presentAgent(views, id);
  }
  if (name !== undefined)
    return findAgent(views, team === undefined ? name : fullAddress({ team, name }), HUMAN_ID);
  if (limits.peerMail.agent !== undefined) return findAgent(views, limits.peerMail.agent, HUMAN_ID);
  const [only, another] = views.roster.list({ limit: 2 });
  return only?.ending === null && another === undefined ? only : findAgent(views, "user", HUMAN_ID);
}
