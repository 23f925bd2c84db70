import type { NewEvent } from "../../model/events.js";
import type { Task } from "../../views/tasks.js";
import type { HubContext } from "../context.js";
import { beginStep, endStep, failure, mayRetry, runReady } from "./run-steps.js";
import { flowOf } from "./workflow-flow.js";

type Ended = { state: "done" | "failed" | "cancelled"; error?: string | undefined };

/** What the end of a task means for the step that it carried out, and for the workflow. */
export function stepEnded(context: HubContext, task: Task, end: Ended, output?: string): NewEvent[] {
  if (task.step === undefined) return [];
  const flow = flowOf(context, task.step.workflow);
  const step = flow?.step(task.step.step);
  // A task of before a retry is nobody's any more.
  if (flow === undefined || step?.task !== task.id || step.state !== "running") return [];
  if (output !== undefined) step.output = output;
  const isRetried = end.state === "failed" && !flow.isStopping && mayRetry(step);
  // At the workflow's budget it waits for the person, as what has not begun does: `runHeld` takes it up.
  const events = isRetried ? beginStep(context, flow, step) : [endStep(flow, step, meaningOf(end))];
  return flow.isStopping ? events : [...events, ...runReady(context, flow)];

  function meaningOf({ state, error }: Ended) {
    if (state === "failed" && step !== undefined) return failure(step, error ?? "no reason was given");
    return { status: state, error };
  }
}
