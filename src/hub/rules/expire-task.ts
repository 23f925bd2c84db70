import { formatDuration } from "../../model/duration.js";
import type { NewEvent } from "../../model/events.js";
import { isTaskEnded } from "../../model/task.js";
import type { HubContext } from "../context.js";
import { callOffTask } from "./end-task.js";
import { isPaused } from "./stands-still.js";

/** A task's time is up: it has failed, wherever it is. */
export function expireTask(context: HubContext, { ref }: { ref: string }): NewEvent[] {
  const task = context.views.tasks.byId(ref);
  if (task === undefined || isTaskEnded(task.state)) return [];
  // It came while its agent was paused: it has all of its time when that is over.
  if (isPaused(context.views, task.agent)) return [];
  const ms = (task.startedAt === null ? undefined : task.timeoutMs) ?? context.limits.taskMs;
  return callOffTask(context, task, {
    state: "failed",
    error: `it was not done within ${formatDuration(ms)}`,
  });
}
