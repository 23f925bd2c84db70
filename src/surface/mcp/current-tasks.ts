import type { AgentId } from "../../model/agent.js";
import type { HubPorts } from "../ports.js";

const LOOKED_AT = 1000;

/** What each agent said that it is on: of several tasks, the first by name. */
export function currentTasks({ views, now }: HubPorts): ReadonlyMap<AgentId, string> {
  const moment = now();
  const tasks = new Map<AgentId, string>();
  for (const { owner, task, until } of views.work.list("", LOOKED_AT)) {
    if (until > moment && !tasks.has(owner)) tasks.set(owner, task);
  }
  return tasks;
}
