import type { Workflow } from "../../client/hub-client.js";
import { assertNever } from "../../model/assert-never.js";
import { clockTime } from "../amounts.js";
import { escapeLine } from "../escape-text.js";
import { asksApproval, byWhom, elapsed, firstLine, markOf, type Step } from "./step-marks.js";

/** What became of a workflow since it was last looked at, a line for each step that changed: for logs and pipes. */
export function renderChanges(before: Workflow | undefined, after: Workflow, now: number): string[] {
  const earlier = new Map(before?.steps.map((step) => [step.name, step]));
  return after.steps.flatMap((step) => {
    const was = earlier.get(step.name);
    const isSame = was?.status === step.status && was.attempt === step.attempt;
    if (isSame || (was === undefined && step.status === "pending")) return [];
    return [`${clockTime(now)} ${markOf(step)} ${describe(step, after, now)}`];
  });
}

function describe(step: Step, { workflow_id }: Workflow, now: number): string {
  const name = escapeLine(step.name);
  const error = step.error === null ? "" : `: ${firstLine(step.error)}`;
  switch (step.status) {
    case "pending":
      return `${name} is to run again`;
    case "running":
      return `${name} runs${byWhom(step)}${step.attempt > 1 ? `, try ${step.attempt}` : ""}`;
    case "waiting":
      return asksApproval(step)
        ? `${name} waits for you: huddle workflow approve ${escapeLine(workflow_id)} ${name}`
        : `${name} waits for you: huddle inbox`;
    case "done":
      return `${name} is done${after(step, now)}`;
    case "failed":
      return `${name} failed${after(step, now)}${error}`;
    case "blocked":
      return `${name} is blocked: what it depends on failed`;
    case "skipped":
      return `${name} is skipped`;
    case "cancelled":
      return `${name} is cancelled`;
    default:
      return assertNever(step.status);
  }
}

function after(step: Step, now: number): string {
  const span = elapsed(step, now);
  return span === "" ? "" : ` after ${span}`;
}
