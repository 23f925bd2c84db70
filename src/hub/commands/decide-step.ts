import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { clause } from "../../model/clause.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import { quoteLine } from "../../model/others-words.js";
import type { WorkflowId } from "../../model/task.js";
import type { HubDecider } from "../context.js";
import { findStep } from "../rules/find-step.js";
import { findWorkflow } from "../rules/find-workflow.js";
import { beginStep, endStep, failure, runReady } from "../rules/run-steps.js";

type DecideStep = {
  workflow: WorkflowId;
  step: string;
  by: AgentId;
  approved: boolean;
  comment?: string | undefined;
};

const COMMENT_MOST = 500;
/** Not stored yet. */
const IN_THIS_DECISION = 0;

/** The person lets a step go on that waits for them, or refuses it: then it has failed. */
export const decideStep: HubDecider<DecideStep, void> = (input, context) => {
  const { id } = findWorkflow(context.views, input.workflow, input.by);
  if (input.by !== HUMAN_ID) throw new HubError("FORBIDDEN", "Only the person approves or rejects steps");
  const { flow, step } = findStep(context, id, input.step);
  if (step.state !== "waiting") {
    throw new HubError(
      "STEP_NOT_WAITING",
      `The step "${step.name}" is ${step.state} and waits for no approval`,
      {
        status: step.state,
      },
    );
  }
  const { approved, comment } = input;
  const said = newEvent("StepDecided", null, {
    workflow: id,
    by: flow.workflow.by,
    step: step.name,
    approved,
    ...(comment === undefined ? {} : { comment }),
    decidedBy: input.by,
  });
  step.state = "pending";
  step.decided = IN_THIS_DECISION;
  if (comment !== undefined) step.comment = comment;
  const why = comment === undefined ? "" : `: ${clause(quoteLine(comment, COMMENT_MOST))}`;
  const follows = approved
    ? beginStep(context, flow, step)
    : [endStep(flow, step, failure(step, `rejected by the person${why}`))];
  return decided([said, ...follows, ...runReady(context, flow)], undefined);
};
