import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { TaskId } from "../../model/task.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import { presentSender } from "./present-agent.js";

/** The person and orchestrators assign tasks and run workflows. */
export function checkMayAssign(views: TightViews, by: AgentId): void {
  if (by === HUMAN_ID || presentSender(by, views).role === "orchestrator") return;
  throw new HubError(
    "FORBIDDEN",
    "Only the person and orchestrators may assign tasks; ask others for help with request_task",
  );
}

/** A task, for whoever may know of it: its two ends, orchestrators and the person. */
export function findTask(views: TightViews, id: TaskId, reader: AgentId): Task {
  const task = views.tasks.byId(id);
  if (task !== undefined && mayKnow(views, task, reader)) return task;
  throw new HubError(
    "TASK_NOT_FOUND",
    `No task has the id "${id.slice(0, 100)}"; \`huddle task list\` shows the ids`,
    { task_id: id },
  );
}

export function mayKnow(views: TightViews, { by, agent }: Task, reader: AgentId): boolean {
  if (reader === HUMAN_ID || reader === by || reader === agent) return true;
  return views.roster.byId(reader)?.role === "orchestrator";
}
