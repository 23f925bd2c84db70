import { assertNever } from "../../model/assert-never.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { EndedStepStatus } from "../../model/workflow.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext } from "../context.js";
import { endWorkflow } from "./end-workflow.js";
import { startStep } from "./start-step.js";
import { type Flow, isOpen, type StepNow } from "./workflow-flow.js";

/*
 * What follows from the end of a step, in the same decision: the steps that only waited for it begin, are blocked or are
 * skipped, and so on; when none is left, the workflow has ended. A step is decided upon when all that it depends on has
 * ended, and not before: what runs `always` cleans up after everything.
 */

export type StepEnd = { status: EndedStepStatus; error?: string | undefined; continued?: boolean };

/** Ends a step, and makes ready what waited for it alone. `runReady` decides upon that. */
export function endStep(flow: Flow, step: StepNow, { status, error, continued = false }: StepEnd): NewEvent {
  step.state = status;
  step.error = error ?? null;
  step.continued = continued;
  const isBad = !continued && status !== "done" && status !== "skipped";
  flow.over++;
  if (isBad) flow.bad++;
  if (!flow.isStopping) {
    for (const dependent of flow.dependents(step.name)) {
      dependent.waits--;
      if (isBad) dependent.bad++;
      if (status === "skipped") dependent.skipped++;
      if (dependent.waits === 0 && dependent.state === "pending") flow.ready.push(dependent);
    }
  }
  return newEvent("StepEnded", null, {
    workflow: flow.id,
    by: flow.workflow.by,
    step: step.name,
    status,
    ...(error === undefined ? {} : { error }),
    ...(continued ? { continued: true } : {}),
  });
}

/** Decides upon everything that is ready, and upon what becomes ready by that. */
export function runReady(context: HubContext, flow: Flow): NewEvent[] {
  const events: NewEvent[] = [];
  for (let step = flow.ready.shift(); step !== undefined; step = flow.ready.shift()) {
    if (isOpen(step)) events.push(...decideUpon(context, flow, step));
  }
  return [...events, ...endIfOver(context, flow)];
}

function endIfOver(context: HubContext, flow: Flow): NewEvent[] {
  if (flow.over < flow.steps || flow.isOver) return [];
  flow.isOver = true;
  return endWorkflow(context, flow, flow.bad > 0 ? "failed" : "done");
}

function decideUpon(context: HubContext, flow: Flow, step: StepNow): NewEvent[] {
  const { defined } = step;
  const meets = conditionOf(step);
  if (meets === "blocked") return [endStep(flow, step, { status: "blocked", error: whyBlocked(flow, step) })];
  if (meets === "skipped") return [endStep(flow, step, { status: "skipped" })];
  if (defined.approve === true && step.decided === null) return [ask(flow, step)];
  return beginStep(context, flow, step);
}

/** Whether it runs, now that all that it depends on has ended. */
function conditionOf({ defined: { on }, bad, skipped, isForced }: StepNow): "run" | "blocked" | "skipped" {
  if (isForced === true) return "run";
  switch (on) {
    case "always":
      return "run";
    case "failure":
      return bad > 0 ? "run" : "skipped";
    case "success":
      if (bad > 0) return "blocked";
      return skipped > 0 ? "skipped" : "run";
    default:
      return assertNever(on);
  }
}

function whyBlocked(flow: Flow, { defined }: StepNow): string {
  const bad = defined.dependsOn.filter((name) => {
    const one = flow.step(name);
    return one !== undefined && !one.continued && ["failed", "blocked", "cancelled"].includes(one.state);
  });
  const [first = "", ...others] = bad;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const verb =
    flow.step(first)?.state === "cancelled"
      ? "was cancelled"
      : flow.step(first)?.state === "blocked"
        ? "is blocked"
        : "has failed";
  return others.length === 0 ? `${first} ${verb}` : `${first}${more} have not succeeded`;
}

function ask(flow: Flow, step: StepNow): NewEvent {
  step.state = "waiting";
  return newEvent("StepWaiting", null, { workflow: flow.id, by: flow.workflow.by, step: step.name });
}

/** Its task is assigned; where that cannot be, it has failed. One without a prompt is done by being let through. */
export function beginStep(context: HubContext, flow: Flow, step: StepNow): NewEvent[] {
  if (step.defined.prompt === undefined) return [endStep(flow, step, { status: "done" })];
  // It stays pending until the person has decided upon the budget.
  if (flow.isHeld) return [];
  const begun = startStep(context, flow, step);
  return begun.kind === "started" ? begun.events : [endStep(flow, step, failure(step, begun.why))];
}

/** The person let it go on: what only waited for that begins, and what failed at the budget is tried again. */
export function runHeld(context: HubContext, flow: Flow): NewEvent[] {
  flow.isHeld = false;
  const steps = flow.all();
  flow.ready = steps.filter(({ state, waits }) => state === "pending" && waits === 0);
  const again = steps.filter((step) => isBetweenTries(context.views, step));
  return [...again.flatMap((step) => beginStep(context, flow, step)), ...runReady(context, flow)];
}

/** Its task has failed, and it may try again, but for the budget. */
export function isBetweenTries(
  { tasks }: Pick<TightViews, "tasks">,
  { state, task }: Pick<StepNow, "state" | "task">,
): boolean {
  return state === "running" && task !== null && tasks.byId(task)?.state === "failed";
}

/** How a failed step counts: `continue` lets what depends on it go on. */
export function failure({ defined }: StepNow, error: string): StepEnd {
  return { status: "failed", error, continued: defined.onFailure === "continue" };
}

/** Retries that it has left. */
export function mayRetry({ defined: { onFailure }, spent }: StepNow): boolean {
  return typeof onFailure === "object" && spent <= onFailure.retry;
}
