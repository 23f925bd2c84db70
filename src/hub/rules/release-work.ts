import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Work } from "../../views/work.js";
import type { HubContext } from "../context.js";
import { releasedElsewhere } from "./peer-work.js";

/** Its alarm rang: the lease ends, unless it was renewed since. */
export function expireClaim(context: HubContext, task: string): NewEvent[] {
  const { views, now } = context;
  const held = views.work.get(task);
  const own = held === undefined || held.until > now ? [] : [released(context, held, "expired")];
  // Other hubs were told for how long.
  const elsewhere = views.peerWork.of(task).filter(({ until }) => until <= now);
  return [...own, ...elsewhere.map((claim) => releasedElsewhere(claim, "expired"))];
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
