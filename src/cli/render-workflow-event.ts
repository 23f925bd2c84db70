import type { ShownEvent } from "../contract/events/events.js";
import { assertNever } from "../model/assert-never.js";

type WorkflowEvent = Extract<
  ShownEvent,
  {
    type:
      | "WorkflowCreated"
      | "StepStarted"
      | "StepWaiting"
      | "StepDecided"
      | "StepEnded"
      | "StepsReset"
      | "WorkflowEnded";
  }
>;

/** What happened in a workflow, on one line. */
export function describeWorkflow(event: WorkflowEvent, who: string): string {
  switch (event.type) {
    case "WorkflowCreated": {
      const { id, name, steps } = event.data.workflow;
      return `${who} runs the workflow "${name}": ${steps.length} ${steps.length === 1 ? "step" : "steps"} (${id})`;
    }
    case "StepStarted": {
      const { step, workflow, attempt } = event.data;
      return `step ${step} of ${workflow} begins${attempt === 1 ? "" : `, attempt ${attempt}`}`;
    }
    case "StepWaiting":
      return `? step ${event.data.step} waits for you (huddle workflow approve ${event.data.workflow} ${event.data.step})`;
    case "StepDecided": {
      const { step, workflow, approved, comment } = event.data;
      return `step ${step} of ${workflow} was ${approved ? "approved" : "rejected"}${comment === undefined ? "" : `: ${comment}`}`;
    }
    case "StepEnded": {
      const { step, workflow, status, error } = event.data;
      return `${status === "done" ? "✓" : "!"} step ${step} of ${workflow} is ${status}${error === undefined ? "" : `: ${error}`}`;
    }
    case "StepsReset":
      return `step ${event.data.step} of ${event.data.workflow} is run again`;
    case "WorkflowEnded": {
      const { workflow, state, error } = event.data;
      return `${state === "done" ? "✓" : "!"} the workflow ${workflow} is ${state}${error === undefined ? "" : `: ${error}`}`;
    }
    default:
      return assertNever(event);
  }
}
