import { isTaskEnded } from "../model/task.js";
import type { AnswerOf, CallOp, FieldsOf } from "./call-ops.js";
import { named } from "./named.js";

export type Task = AnswerOf<"get_task">;

/** Seconds that one question waits for the end of a task. */
const WAIT = 60;

/** Prompts with a result, for whoever may assign them: the person and orchestrators. */
export function taskCalls(call: CallOp) {
  const get = (id: string, { wait = 0 }: { wait?: number } = {}) =>
    call("get_task", { task_id: id, wait }, { waitMs: wait * 1000 });
  return {
    assign: (task: FieldsOf<"assign_task">) => call("assign_task", named(task)),
    list: (query: FieldsOf<"list_tasks"> = {}) => call("list_tasks", query),
    /** With `wait` (seconds) answered as soon as it has ended. */
    get,
    /** The task once it has ended, whatever became of it. */
    async result(id: string): Promise<Task> {
      for (;;) {
        const task = await get(id, { wait: WAIT });
        if (hasEnded(task)) return task;
      }
    },
    cancel: (id: string) => call("cancel_task", { task_id: id }),
  };
}

/** While it waits for the person it goes on. */
function hasEnded({ status }: Task): boolean {
  return status !== "waiting" && isTaskEnded(status);
}
