import { decided } from "../../model/decision.js";
import type { TaskId, WorktreeResult } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { endTask } from "../rules/end-task.js";
import { describeFailure, returnTask } from "../rules/return-task.js";
import { verdictOf } from "../rules/verdict.js";

type JudgeTask = {
  task: TaskId;
  attempt: number;
  /** What became of the worktree that its agent worked in. */
  worktree?: WorktreeResult | undefined;
};

/** The checks of an answer are through: the task is done, goes back to its agent, or has failed. */
export const judgeTask: HubDecider<JudgeTask, void> = (input, context) => {
  const { views } = context;
  const task = views.tasks.byId(input.task);
  if (task?.state !== "checking" || task.attempt !== input.attempt) return decided([], undefined);
  const worktree = input.worktree === undefined ? {} : { worktree: input.worktree };
  const verdict = verdictOf(views, task);
  switch (verdict.kind) {
    case "open":
      return decided([], undefined);
    case "passed": {
      const output = views.tasks.outputOf(task.id)?.text;
      return decided(endTask(context, task, { state: "done", ...worktree }, output), undefined);
    }
    case "again":
      return decided(returnTask(context, task, verdict.failed), undefined);
    case "failed": {
      const tries = task.attempt === 1 ? "" : ` after ${task.attempt} attempts`;
      const error = `${describeFailure(verdict.failed)}${tries}`;
      return decided(endTask(context, task, { state: "failed", error, ...worktree }), undefined);
    }
  }
};
