import { clause } from "../../model/clause.js";
import { decided } from "../../model/decision.js";
import { quoteLine } from "../../model/others-words.js";
import { isTaskEnded, type TaskId } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { callOffTask } from "../rules/end-task.js";

const ERROR_MOST = 500;

/** It cannot be carried out: its agent did not start, say. */
export const failTask: HubDecider<{ task: TaskId; error: string }, void> = (input, context) => {
  const task = context.views.tasks.byId(input.task);
  if (task === undefined || isTaskEnded(task.state)) return decided([], undefined);
  const error = clause(quoteLine(input.error, ERROR_MOST));
  return decided(callOffTask(context, task, { state: "failed", error }), undefined);
};
