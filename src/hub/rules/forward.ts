import { parseAddress } from "../../model/address.js";
import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { isUuid } from "../../model/uuid7.js";
import type { HubContext } from "../context.js";

/** One that handed over to one that handed over: so far it is followed. */
const MOST = 10;

/**
 * Who gets the mail that is addressed to an agent: whoever it handed its work over to, where it asked for that. What the person writes, and what the
 * other one itself asks back, reaches the agent all the same.
 */
export function forwarded({ views }: HubContext, sender: AgentId, target: Agent): Agent {
  if (views.forwards.isEmpty() || sender === HUMAN_ID) return target;
  let at = target;
  const seen = new Set([sender, target.id]);
  for (let n = 0; n < MOST; n++) {
    const next = views.roster.byId(views.forwards.get(at.id) ?? "");
    // One that is being shut down takes no further turn: its mail would only fail.
    if (next === undefined || next.goneAt !== null || next.ending !== null || seen.has(next.id)) break;
    seen.add(next.id);
    at = next;
  }
  return at;
}

/** The same for one that has left, as long as its name is remembered. */
export function heirOf(context: HubContext, address: string, sender: AgentId): Agent | undefined {
  const { views, limits, at } = context;
  if (views.forwards.isEmpty()) return undefined;
  const parsed = parseAddress(address);
  const left = isUuid(address)
    ? views.roster.byId(address.toLowerCase())
    : parsed && views.roster.goneByName(parsed.name, parsed.team);
  if (left === undefined || left.goneAt === null || at - left.goneAt >= limits.renameGraceMs)
    return undefined;
  const heir = forwarded(context, sender, left);
  return heir.id === left.id ? undefined : heir;
}
