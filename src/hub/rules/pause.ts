import type { Agent, AgentId } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";

/** It stands still, and so do the clocks of its tasks. Nothing when it does already, unless its turn is to be cut now. */
export function pause(
  { views, now: time }: HubContext,
  agent: Agent,
  { by, now }: { by: AgentId; now: boolean },
): NewEvent[] {
  const isPaused = agent.pausedSince !== null;
  if (isPaused && !now) return [];
  const tasks = isPaused ? [] : views.tasks.openOf(agent.id).map(({ id }) => id);
  const clocks = views.alarms
    .ofTasks(tasks)
    .map(({ task, due }) => ({ task, leftMs: Math.max(0, due - time) }));
  return [
    newEvent("AgentPaused", agent.id, {
      agent: agent.id,
      by,
      ...(now ? { now: true as const } : {}),
      ...(clocks.length === 0 ? {} : { clocks }),
    }),
  ];
}

/** A task that came while it was paused begins its time now. */
export function resume({ views, now, limits }: HubContext, agent: Agent, by: AgentId): NewEvent[] {
  if (agent.pausedSince === null) return [];
  const stopped = views.alarms.stoppedClocks(agent.id);
  const clocks = views.tasks.openOf(agent.id).flatMap(({ id, timeoutMs = 0 }) => {
    const left = stopped.filter(({ task }) => task === id).map(({ leftMs }) => leftMs);
    const times = left.length === 0 ? [Math.max(limits.taskMs, timeoutMs)] : left;
    return times.map((ms) => ({ task: id, expiresAt: now + ms }));
  });
  const again = clocks.length === 0 ? {} : { clocks };
  return [newEvent("AgentResumed", agent.id, { agent: agent.id, by, ...again })];
}
