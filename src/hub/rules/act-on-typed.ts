import { type Agent, HUMAN_ID } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { SAYS_SO, type SaidStatus, type Typed } from "../../model/typed-message.js";
import type { HubContext } from "../context.js";
import { addressNow } from "./address-of.js";
import { decideClaim } from "./decide-claim.js";

/** What a message says by its fields, with what came of it, and what happens by it in the same commit. */
type Acted = { typed: Typed; events: NewEvent[] };

/** A status sets the sender's presence, a coordination claims or releases the task; other types only say something. */
export function actOnTyped(typed: Typed, sender: Agent, target: Agent, context: HubContext): Acted {
  if (typed.kind === "status") return { typed, events: sayStatus(sender, typed.status, context) };
  if (typed.kind !== "coordination") return { typed, events: [] };
  const { action, task } = typed;
  const tell = target.hub === null ? undefined : target.id;
  const { events, ok, owner, begun } = decideClaim(sender, { action, task, tell }, context);
  const name = owner && addressNow(context.views, owner.owner, owner.ownerName, target.id);
  const forHub = tell === undefined ? {} : begun;
  return { typed: { kind: "coordination", action, task, ok, owner: name, ...forHub }, events };
}

/**
 * It holds until something else is heard of the agent: a call of one that says it is offline, its silence. What the hub runs itself is
 * seen at work, and the person is always there: their words change nothing of that.
 */
function sayStatus(sender: Agent, status: SaidStatus, { at }: HubContext): NewEvent[] {
  if (sender.id === HUMAN_ID || sender.runtime !== null) return [];
  if (sender.status === status && sender.statusEvidence === SAYS_SO) return [];
  const said = { agent: sender.id, status, evidence: SAYS_SO };
  return [newEvent("PresenceChanged", sender.id, status === "offline" ? { ...said, lastSeen: at } : said)];
}
