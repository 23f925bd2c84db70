import { type Flow, isOpen, type StepNow } from "./workflow-flow.js";

/**
 * Makes a step pending again, and with it what it is blocked by and what hung on it: all that ended otherwise than done. What
 * is done stays done, and what runs goes on. Answers their names.
 */
export function resetSteps(flow: Flow, retried: StepNow): string[] {
  const chosen = new Map<string, StepNow>([[retried.name, retried]]);
  // One whose condition was not met runs because somebody says so.
  retried.isForced = retried.state === "skipped";
  if (retried.state === "blocked" || retried.state === "cancelled") addBlockers(flow, retried, chosen);
  addDescendants(flow, chosen);
  for (const step of chosen.values()) makePending(step);
  for (const step of chosen.values()) recount(flow, step);
  const all = flow.all();
  flow.over = all.filter((step) => !isOpen(step)).length;
  flow.bad = all.filter(isBad).length;
  if (flow.isOver) flow.runs++;
  flow.isOver = false;
  flow.ready.push(...[...chosen.values()].filter(({ waits }) => waits === 0));
  return [...chosen.keys()];
}

function isBad({ state, continued }: StepNow): boolean {
  return !continued && (state === "failed" || state === "blocked" || state === "cancelled");
}

function addBlockers(flow: Flow, from: StepNow, chosen: Map<string, StepNow>): void {
  const left = [from];
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    for (const name of step.defined.dependsOn) {
      const one = flow.step(name);
      if (one === undefined || chosen.has(name) || !isBad(one)) continue;
      chosen.set(name, one);
      left.push(one);
    }
  }
}

function addDescendants(flow: Flow, chosen: Map<string, StepNow>): void {
  const left = [...chosen.values()];
  const seen = new Set(chosen.keys());
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    for (const one of flow.dependents(step.name)) {
      if (seen.has(one.name)) continue;
      seen.add(one.name);
      left.push(one);
      if (one.state !== "done" && one.state !== "running") chosen.set(one.name, one);
    }
  }
}

function makePending(step: StepNow): void {
  step.state = "pending";
  step.spent = 0;
  step.decided = null;
  step.error = null;
  step.continued = false;
  delete step.output;
  delete step.comment;
}

function recount(flow: Flow, step: StepNow): void {
  const parents = step.defined.dependsOn.flatMap((name) => flow.step(name) ?? []);
  step.waits = parents.filter(isOpen).length;
  step.bad = parents.filter(isBad).length;
  step.skipped = parents.filter(({ state }) => state === "skipped").length;
}
