import type { AgentId } from "../../model/agent.js";
import { quoteBlock } from "../../model/others-words.js";
import type { HubPorts } from "../ports.js";

const LOOKED_AT = 1000;

/** What each agent said that it is on, as a model may read it: of several tasks, the first by name. */
export function currentTasks({ views, now }: HubPorts): ReadonlyMap<AgentId, string> {
  const moment = now();
  const tasks = new Map<AgentId, string>();
  for (const { owner, task, until } of views.work.list("", LOOKED_AT)) {
    if (until > moment && !tasks.has(owner)) tasks.set(owner, quoteBlock(task));
  }
  return tasks;
}
