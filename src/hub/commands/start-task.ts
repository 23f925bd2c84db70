import { decided } from "../../model/decision.js";
import type { TaskId } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { isPresent } from "../rules/present-agent.js";
import { taskMail } from "../rules/task-mail.js";

/** The agent that a task was waiting for is here: it gets it. Nothing if it has it already, or the task has ended. */
export const startTask: HubDecider<{ task: TaskId }, void> = (input, context) => {
  const { views } = context;
  const task = views.tasks.byId(input.task);
  const agent = task && views.roster.byId(task.agent);
  if (task?.state !== "pending" || task.message !== null) return decided([], undefined);
  if (agent === undefined || !isPresent(views, agent.id)) return decided([], undefined);
  return decided(taskMail(context, agent, { ...task, content: task.prompt }), undefined);
};
