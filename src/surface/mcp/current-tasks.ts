import { mayKnow } from "../../hub/rules/find-task.js";
import type { AgentId } from "../../model/agent.js";
import { quoteBlock } from "../../model/others-words.js";
import type { TaskId } from "../../model/task.js";
import type { HubPorts } from "../ports.js";

const LOOKED_AT = 1000;
/** What a list has room for. */
const PROMPT_MOST = 200;

type CurrentTask = { id?: TaskId; words: string };

/**
 * What each agent is at, as a model may read it: the task that it was assigned, whose words are for its two ends and
 * orchestrators; else the first thing that it said it is on.
 */
export function currentTasks({ views, now }: HubPorts, reader: AgentId): ReadonlyMap<AgentId, CurrentTask> {
  const moment = now();
  const tasks = new Map<AgentId, CurrentTask>();
  for (const task of views.tasks.openCount() === 0 ? [] : views.tasks.open()) {
    const { id, agent, state, prompt } = task;
    if (state === "pending" || tasks.has(agent)) continue;
    const words = mayKnow(views, task, reader) ? quoteBlock(prompt.slice(0, PROMPT_MOST)) : id;
    tasks.set(agent, { id, words });
  }
  for (const { owner, task, until } of views.work.list("", LOOKED_AT)) {
    if (until > moment && !tasks.has(owner)) tasks.set(owner, { words: quoteBlock(task) });
  }
  return tasks;
}
