import type { NewEvent } from "../../model/events.js";
import { isTaskEnded } from "../../model/task.js";
import type { HubContext } from "../context.js";
import { callOffTask } from "./end-task.js";
import { endWorkflow } from "./end-workflow.js";
import { endStep } from "./run-steps.js";
import { type Flow, isOpen, type StepNow } from "./workflow-flow.js";

/** Ends a workflow that runs: what runs is cancelled, what has not begun does not. */
export function cancelFlow(context: HubContext, flow: Flow, error: string): NewEvent[] {
  flow.isStopping = true;
  flow.isOver = true;
  const events = flow
    .all()
    .filter(isOpen)
    .flatMap((step) => cancelStep(context, flow, step, error));
  return [...events, ...endWorkflow(context, flow, "cancelled", error)];
}

function cancelStep(context: HubContext, flow: Flow, step: StepNow, error: string): NewEvent[] {
  const task =
    step.state === "running" && step.task !== null ? context.views.tasks.byId(step.task) : undefined;
  if (task !== undefined && !isTaskEnded(task.state))
    return callOffTask(context, task, { state: "cancelled", error });
  return [endStep(flow, step, { status: "cancelled", error })];
}
