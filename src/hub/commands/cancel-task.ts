import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { isTaskEnded, type TaskId, type TaskState } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { callOffTask } from "../rules/end-task.js";
import { checkMayAssign, findTask } from "../rules/find-task.js";

type CancelTask = { task: TaskId; by: AgentId };

/** Ends a task that is not wanted any more. One that has ended stays as it ended. */
export const cancelTask: HubDecider<CancelTask, { state: TaskState }> = (input, context) => {
  const task = findTask(context.views, input.task, input.by);
  if (task.by !== input.by) checkMayAssign(context.views, input.by);
  if (isTaskEnded(task.state)) return decided([], { state: task.state });
  const name = context.views.roster.byId(input.by)?.name ?? input.by;
  const end = { state: "cancelled", error: `cancelled by ${name}` } as const;
  return decided(callOffTask(context, task, end), { state: "cancelled" });
};
