import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { NewEvent } from "../../model/events.js";
import { isTaskEnded } from "../../model/task.js";
import type { WorkflowId } from "../../model/workflow.js";
import type { HubContext, HubDecider } from "../context.js";
import { callOffTask } from "../rules/end-task.js";
import { endWorkflow } from "../rules/end-workflow.js";
import { findWorkflow } from "../rules/find-workflow.js";
import { endStep } from "../rules/run-steps.js";
import { type Flow, flowOf, isOpen, type StepNow } from "../rules/workflow-flow.js";

type CancelWorkflow = { workflow: WorkflowId; by: AgentId };

/** Ends a workflow: what runs is cancelled, what has not begun does not. One that has ended stays as it ended. */
export const cancelWorkflow: HubDecider<CancelWorkflow, void> = (input, context) => {
  const { id } = findWorkflow(context.views, input.workflow, input.by);
  const flow = flowOf(context, id);
  if (flow === undefined || flow.isOver) return decided([], undefined);
  const name = context.views.roster.byId(input.by)?.name ?? input.by;
  const error = `cancelled by ${name}`;
  flow.isStopping = true;
  flow.isOver = true;
  const events = flow
    .all()
    .filter(isOpen)
    .flatMap((step) => cancelStep(context, flow, step, error));
  return decided([...events, ...endWorkflow(context, flow, "cancelled", error)], undefined);
};

function cancelStep(context: HubContext, flow: Flow, step: StepNow, error: string): NewEvent[] {
  const task =
    step.state === "running" && step.task !== null ? context.views.tasks.byId(step.task) : undefined;
  if (task !== undefined && !isTaskEnded(task.state))
    return callOffTask(context, task, { state: "cancelled", error });
  return [endStep(flow, step, { status: "cancelled", error })];
}
