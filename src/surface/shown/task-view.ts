import type { z } from "zod";
import type { taskView } from "../../contract/http/tasks.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { isTaskEnded } from "../../model/task.js";
import type { Task } from "../../views/tasks.js";
import type { HubPorts } from "../ports.js";
import { usageOf } from "./usage-view.js";

export type TaskView = z.input<typeof taskView>;
type Ports = Pick<HubPorts, "views">;

/** A task under the names of now; what was asked and answered is for its two ends and the operator. */
export function viewTask(task: Task, reader: AgentId, { views }: Ports): TaskView {
  const isTheirs = reader === HUMAN_ID || reader === task.by || reader === task.agent;
  const output = isTheirs ? views.tasks.outputOf(task.id) : undefined;
  return {
    task_id: task.id,
    agent: addressNow(views, task.agent, task.agentName, reader),
    by: addressNow(views, task.by, task.byName, reader),
    status: taskStatus(task, { views }),
    prompt: isTheirs ? task.prompt : "",
    output: output?.text ?? null,
    ...(output?.isCut === true ? { output_cut: true as const } : {}),
    error: isTheirs ? task.error : null,
    attempt: task.attempt,
    attempts: task.attempts,
    ...(wasRepeated(task, { views }) ? { repeated: true as const } : {}),
    checks: task.results.map(({ name, passed, exit, ms, output: printed }) => ({
      name,
      passed,
      exit,
      ms,
      output: isTheirs ? printed : "",
    })),
    worktree: task.result,
    usage: usageOf(views, "task", task.id),
    assigned: iso(task.assignedAt),
    started: task.startedAt === null ? null : iso(task.startedAt),
    ended: task.endedAt === null ? null : iso(task.endedAt),
    ...(task.step === undefined ? {} : { workflow: task.step.workflow, step: task.step.step }),
  };
}

/** `waiting`: only the person can let it go on. */
export function taskStatus(task: Task, { views }: Ports): TaskView["status"] {
  if (isTaskEnded(task.state)) return task.state;
  const isHeld = task.message !== null && views.inbox.get(task.message, task.agent)?.state === "held";
  const isAsking = task.state !== "pending" && views.permissions.openOf(task.agent).length > 0;
  return isHeld || isAsking ? "waiting" : task.state;
}

/** It was handed over more than once, and not only to go on with it. */
export function wasRepeated({ message, agent }: Task, { views }: Ports): boolean {
  const steps = message === null ? [] : (views.inbox.get(message, agent)?.steps ?? []);
  // Offered is enough: whether the process had it when the hub was killed, nobody knows.
  const handed = steps.filter(
    ({ state, route }) => state === "offered" && (route === "runtime" || route === "pane"),
  );
  return handed.length > 1 && steps.some(({ reason }) => reason === "died" || reason === "hub_restart");
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
