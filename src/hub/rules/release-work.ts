import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Work } from "../../views/work.js";
import type { HubContext } from "../context.js";

/** Its alarm rang: the lease ends, unless it was renewed since. */
export function expireClaim(context: HubContext, task: string): NewEvent[] {
  const held = context.views.work.get(task);
  return held === undefined || held.until > context.now ? [] : [released(context, held, "expired")];
}

/** `by`: who released it, the owner itself or the person. */
export function released(
  { views }: HubContext,
  { task, owner, ownerName }: Work,
  reason: "released" | "expired" | "owner_gone",
  by?: Agent,
): NewEvent {
  return newEvent("WorkReleased", owner, {
    task,
    owner,
    ownerName: views.roster.byId(owner)?.name ?? ownerName,
    reason,
    ...(by === undefined || by.id === owner ? {} : { byName: by.name }),
  });
}
