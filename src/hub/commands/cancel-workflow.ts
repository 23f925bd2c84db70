import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { WorkflowId } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { cancelFlow } from "../rules/cancel-flow.js";
import { findWorkflow } from "../rules/find-workflow.js";
import { flowOf } from "../rules/workflow-flow.js";

type CancelWorkflow = { workflow: WorkflowId; by: AgentId };

/** Ends a workflow that is not wanted any more. One that has ended stays as it ended. */
export const cancelWorkflow: HubDecider<CancelWorkflow, void> = (input, context) => {
  const { id } = findWorkflow(context.views, input.workflow, input.by);
  const flow = flowOf(context, id);
  if (flow === undefined || flow.isOver) return decided([], undefined);
  const name = context.views.roster.byId(input.by)?.name ?? input.by;
  return decided(cancelFlow(context, flow, `cancelled by ${name}`), undefined);
};
