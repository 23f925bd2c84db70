import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { WorkflowId } from "../../model/task.js";
import type { StepAssignee } from "../../model/workflow.js";
import type { HubDecider } from "../context.js";
import { checkStays } from "../rules/find-agent.js";
import { findStep } from "../rules/find-step.js";
import { findWorkflow } from "../rules/find-workflow.js";
import { presentAgent } from "../rules/present-agent.js";
import { resetSteps } from "../rules/reset-steps.js";
import { runReady } from "../rules/run-steps.js";
import { isOpen } from "../rules/workflow-flow.js";

type RetryStep = {
  workflow: WorkflowId;
  step: string;
  by: AgentId;
  /** Who does it from now on. */
  assignee?: StepAssignee | undefined;
};

/** Runs a step again that did not succeed, and with it what hung on it. The workflow goes on, if it had ended. */
export const retryStep: HubDecider<RetryStep, void> = (input, context) => {
  const { views } = context;
  const { id } = findWorkflow(views, input.workflow, input.by);
  const { flow, step } = findStep(context, id, input.step);
  if (isOpen(step) || step.state === "done") {
    throw new HubError(
      "STEP_NOT_ENDED",
      `The step "${step.name}" is ${step.state}; only what did not succeed is run again`,
      {
        status: step.state,
      },
    );
  }
  const { assignee } = input;
  if (assignee !== undefined && step.defined.prompt === undefined)
    throw new HubError("INVALID_INPUT", `agent: the step "${step.name}" only asks the person`);
  if (assignee?.agent !== undefined) checkStays(presentAgent(views, assignee.agent, input.by));
  const steps = resetSteps(flow, step);
  if (assignee !== undefined) step.assignee = assignee;
  const reset = newEvent("StepsReset", null, {
    workflow: id,
    by: flow.workflow.by,
    step: step.name,
    steps,
    resetBy: input.by,
    ...(assignee === undefined ? {} : { assignee }),
  });
  return decided([reset, ...runReady(context, flow)], undefined);
};
