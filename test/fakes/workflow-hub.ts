import { type AgentId, HUMAN_ID } from "../../src/model/agent.js";
import type { OnFailure, WorkflowStep } from "../../src/model/workflow.js";
import type { TestHub } from "./test-hub.js";

/** Steps by their names: `{ b: { after: ["a"] } }`. An agent answers by replying to its task, as one does that pulls its mail. */
export type WrittenStep = Partial<Omit<WorkflowStep, "name" | "dependsOn">> & {
  after?: string[];
  onFailure?: OnFailure;
  isGate?: boolean;
};

export async function run(
  hub: TestHub,
  agent: AgentId,
  steps: Record<string, WrittenStep>,
  by: AgentId = HUMAN_ID,
): Promise<string> {
  const { workflowId } = await hub.execute("createWorkflow", {
    by,
    name: "a workflow",
    steps: Object.entries(steps).map(([name, { after = [], isGate, ...step }]) => ({
      name,
      dependsOn: after,
      on: "success",
      ...(isGate === true ? { approve: true } : { prompt: `do ${name}` }),
      ...(isGate === true || step.spawn !== undefined ? {} : { agent, agentName: hub.nameOf(agent) }),
      ...step,
    })),
  });
  return workflowId;
}

/** Each step with its state: `a done, b running`. */
export function statesOf(hub: TestHub, workflow: string): string {
  return hub.views.workflows
    .steps(workflow)
    .map(({ name, state }) => `${name} ${state}`)
    .join(", ");
}

export function stateOf(hub: TestHub, workflow: string): string | undefined {
  return hub.views.workflows.byId(workflow)?.state;
}

export function taskOf(hub: TestHub, workflow: string, step: string) {
  const id = hub.views.workflows.step(workflow, step)?.task;
  const task = id === undefined || id === null ? undefined : hub.views.tasks.byId(id);
  if (task === undefined) throw new Error(`the step ${step} has no task`);
  return task;
}

export async function answer(
  hub: TestHub,
  workflow: string,
  step: string,
  text = `${step} says`,
): Promise<void> {
  const { agent, id, by } = taskOf(hub, workflow, step);
  await hub.read(agent);
  await hub.sendTo(agent, by === HUMAN_ID ? "user" : hub.nameOf(by), text, { replyTo: id });
}

export async function fail(hub: TestHub, workflow: string, step: string, error = "it broke"): Promise<void> {
  await hub.execute("failTask", { task: taskOf(hub, workflow, step).id, error });
}
