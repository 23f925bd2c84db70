import type { z } from "zod";
import type { taskView } from "../../contract/http/tasks.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import type { Task } from "../../views/tasks.js";
import type { HubPorts } from "../ports.js";
import { usageOf } from "./usage-view.js";
import { waitsFor } from "./waits-for.js";

export type TaskView = z.input<typeof taskView>;
type Ports = Pick<HubPorts, "views">;

/** A task under the names of now; what was asked and answered is for its two ends and the operator. */
export function viewTask(task: Task, reader: AgentId, { views }: Ports): TaskView {
  const isTheirs = reader === HUMAN_ID || reader === task.by || reader === task.agent;
  const waiting = waitsFor(task, reader, { views });
  const output = isTheirs ? views.tasks.outputOf(task.id) : undefined;
  return {
    task_id: task.id,
    agent: addressNow(views, task.agent, task.agentName, reader),
    by: addressNow(views, task.by, task.byName, reader),
    status: waiting?.isPersons === true ? "waiting" : task.state,
    ...(waiting === undefined ? {} : { waits_for: waiting.what }),
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

/** It was handed over again after its agent or the hub died. An agent that was only told to go on may do some of it twice. */
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
