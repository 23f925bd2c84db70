import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import type { WorkflowId } from "../../model/task.js";
import type { HubContext } from "../context.js";
import { type Flow, flowOf, type StepNow } from "./workflow-flow.js";

const LISTED = 50;

/** A step of a workflow that is known to be there. */
export function findStep(context: HubContext, id: WorkflowId, name: string): { flow: Flow; step: StepNow } {
  const flow = flowOf(context, id);
  const step = flow?.step(name);
  if (flow !== undefined && step !== undefined) return { flow, step };
  throw missingStep(id, name, flow?.workflow.steps.map((one) => one.name) ?? []);
}

/** The refusal for whoever names a step that is not there. */
export function missingStep(id: WorkflowId, name: string, names: readonly string[]): HubError {
  const meant = nearest(name, names);
  return new HubError("STEP_NOT_FOUND", `The workflow ${id} has no step "${name.slice(0, 80)}"`, {
    available: names.slice(0, LISTED),
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  });
}
