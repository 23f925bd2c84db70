import { type NewEvent, newEvent } from "../../model/events.js";
import type { Work } from "../../views/work.js";
import type { HubContext } from "../context.js";

/** Its alarm rang: the lease ends, unless it was renewed since. */
export function expireClaim(context: HubContext, task: string): NewEvent[] {
  const held = context.views.work.get(task);
  return held === undefined || held.until > context.now ? [] : [released(held, "expired")];
}

export function released(work: Work, reason: "released" | "expired" | "owner_gone"): NewEvent {
  return newEvent("WorkReleased", work.owner, { task: work.task, owner: work.owner, reason });
}
