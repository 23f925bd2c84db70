import type { AgentId } from "../../model/agent.js";
import type { Decision } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { WorkflowId } from "../../model/task.js";
import {
  type Workflow,
  type WorkflowBudget,
  type WorkflowStep,
  workflowIdFrom,
} from "../../model/workflow.js";
import type { HubContext, HubDecider } from "../context.js";
import { checkOpenWork } from "../rules/check-open-work.js";
import { checkMayAssign } from "../rules/find-task.js";
import { checkKnown } from "../rules/known-checks.js";
import { ownWords } from "../rules/own-words.js";
import { presentAgent, presentSender } from "../rules/present-agent.js";
import { runReady } from "../rules/run-steps.js";
import { newFlow } from "../rules/workflow-flow.js";

export type CreateWorkflow = {
  by: AgentId;
  /** The same id with the same definition is the same workflow. */
  id?: string | undefined;
  name: string;
  /** They MUST have passed `checkWorkflow`. */
  steps: readonly WorkflowStep[];
  budget?: WorkflowBudget | undefined;
};

type Created = { workflowId: WorkflowId; steps: number };

/** Stores a workflow and begins the steps that depend on nothing. */
export const createWorkflow: HubDecider<CreateWorkflow, Created> = (input, context) => {
  const { views } = context;
  checkMayAssign(views, input.by);
  const creator = presentSender(input.by, views);
  const id = workflowIdFrom(input.id ?? context.newId());
  const earlier = views.workflows.definition(id);
  if (earlier !== undefined) return repeat(earlier, input);
  checkOpen(context, input.by);
  checkKnown(
    context,
    input.steps.flatMap(({ checks = [] }) => checks),
  );
  for (const { agent } of input.steps) if (agent !== undefined) presentAgent(views, agent, creator.id);
  const workflow: Workflow = {
    id,
    name: input.name,
    by: creator.id,
    byName: creator.name,
    steps: input.steps.map((step) =>
      step.prompt === undefined ? step : { ...step, prompt: ownWords(creator, step.prompt) },
    ),
    ...(input.budget === undefined ? {} : { budget: input.budget }),
  };
  const flow = newFlow(context, workflow);
  return {
    events: [newEvent("WorkflowCreated", null, { workflow }), ...runReady(context, flow)],
    answer: () => ({ workflowId: id, steps: workflow.steps.length }),
  };
};

function checkOpen(context: HubContext, by: AgentId): void {
  const { workflows } = context.views;
  const { workflowOpenCap, workflowAgentCap } = context.limits;
  checkOpenWork(by, {
    code: "WORKFLOWS_FULL",
    what: "open workflows",
    all: () => workflows.openCount(),
    of: () => workflows.openCountBy(by),
    cap: workflowOpenCap,
    agentCap: workflowAgentCap,
  });
}

function repeat(earlier: Workflow, input: CreateWorkflow): Decision<Created> {
  const shape = (steps: readonly WorkflowStep[]) =>
    JSON.stringify(steps.map(({ name, dependsOn }) => [name, dependsOn]));
  if (earlier.by !== input.by || earlier.name !== input.name || shape(earlier.steps) !== shape(input.steps)) {
    throw new HubError("ID_REUSED", `Workflow id "${earlier.id}" was used before for another workflow`, {
      workflow_id: earlier.id,
    });
  }
  return { events: [], answer: () => ({ workflowId: earlier.id, steps: earlier.steps.length }) };
}
