import { type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";

/** The agent has these messages now: what they assign is begun. */
export function startTasks({ views, now }: HubContext, seqs: readonly { seq: number }[]): NewEvent[] {
  if (views.tasks.openCount() === 0) return [];
  return seqs.flatMap(({ seq }) => {
    const task = views.tasks.byMessage(seq);
    if (task?.state !== "pending") return [];
    const { id, by, agent, attempt, timeoutMs, startedAt } = task;
    // All of its attempts have that time together.
    const expiry = timeoutMs === undefined || startedAt !== null ? {} : { expiresAt: now + timeoutMs };
    return [newEvent("TaskStarted", agent, { task: id, by, agent, attempt, ...expiry })];
  });
}
