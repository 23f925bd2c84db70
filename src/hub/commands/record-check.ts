import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { CheckResult, TaskId } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { nextCheck } from "../rules/verdict.js";

/** `nth`: which of the task's checks it is, so that none is recorded twice. */
type RecordCheck = { task: TaskId; attempt: number; nth: number; check: CheckResult };

/** A check of an answer was made. Nothing if the task went on without it. */
export const recordCheck: HubDecider<RecordCheck, void> = (input, { views }) => {
  const task = views.tasks.byId(input.task);
  const isNext =
    task?.state === "checking" &&
    task.attempt === input.attempt &&
    task.results.length === input.nth &&
    nextCheck(task) === input.check.name;
  if (!isNext) return decided([], undefined);
  const { id, by, agent, attempt } = task;
  return decided(
    [newEvent("TaskChecked", agent, { task: id, by, agent, attempt, check: input.check })],
    undefined,
  );
};
