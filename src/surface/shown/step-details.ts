import type { z } from "zod";
import type { workflowRoutes } from "../../contract/http/workflows.js";
import { missingStep } from "../../hub/rules/find-step.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { templatesIn } from "../../model/step-templates.js";
import type { WorkflowStep } from "../../model/workflow.js";
import type { StepRow, WorkflowRow } from "../../views/workflows.js";
import type { HubPorts } from "../ports.js";
import { viewTask } from "./task-view.js";
import { outputOf, viewStep } from "./workflow-view.js";

type StepDetails = z.input<typeof workflowRoutes.step.response>;
type Ports = Pick<HubPorts, "views">;

/** One step with all that is known of it; what was asked and answered is for the workflow's creator and the operator. */
export function viewStepDetails(row: WorkflowRow, name: string, reader: AgentId, ports: Ports): StepDetails {
  const { workflows, tasks } = ports.views;
  const named = workflows.definition(row.id)?.named ?? new Map<string, WorkflowStep>();
  const step = workflows.step(row.id, name);
  const defined = named.get(name);
  if (step === undefined || defined === undefined) throw missingStep(row.id, name, [...named.keys()]);
  const isTheirs = reader === HUMAN_ID || reader === row.creator;
  const decision = step.decided === null ? undefined : workflows.decision(step.decided);
  return {
    ...viewStep(step, defined, { reader, outputs: true, isTheirs }, ports),
    prompt: isTheirs ? (defined.prompt ?? null) : null,
    inputs: isTheirs ? inputsOf(row, defined, named, ports) : [],
    ...(defined.onFailure === undefined ? {} : { on_failure: defined.onFailure }),
    comment: isTheirs ? (decision?.comment ?? null) : null,
    tries: workflows.tries(row.id, name).flatMap((id) => {
      const task = tasks.byId(id);
      if (task === undefined) return [];
      const {
        prompt: _,
        output: _o,
        output_cut: _c,
        workflow: _w,
        step: _s,
        ...tried
      } = viewTask(task, reader, ports);
      return [tried];
    }),
  };
}

/** A prompt may name any step before it, not only those that it waits for. */
function inputsOf(
  { id }: WorkflowRow,
  { prompt = "", dependsOn }: WorkflowStep,
  named: ReadonlyMap<string, WorkflowStep>,
  ports: Ports,
): StepDetails["inputs"] {
  const wanted = new Set([...dependsOn, ...templatesIn(prompt).map(({ step }) => step)]);
  return [...named.values()].flatMap((other) => {
    const row: StepRow | undefined = wanted.has(other.name)
      ? ports.views.workflows.step(id, other.name)
      : undefined;
    if (row === undefined) return [];
    return [{ step: row.name, status: row.state, output: outputOf(row, other, ports), error: row.error }];
  });
}
