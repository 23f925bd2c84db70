import { type CheckResult, checksOf } from "../../model/task.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import { isPresent } from "./present-agent.js";

/*
 * What the checks of an answer amount to. They are made one after the other, and the first that does not pass is the last:
 * then the agent has another try, as long as there are attempts, it is here, and trying could help.
 */

type Verdict =
  | { kind: "open"; next: string }
  | { kind: "passed" }
  | { kind: "again"; failed: CheckResult }
  | { kind: "failed"; failed: CheckResult };

export function verdictOf(views: TightViews, task: Task): Verdict {
  const failed = task.results.find(({ passed }) => !passed);
  if (failed !== undefined) {
    const mayTry = failed.final !== true && task.attempt < task.attempts && isPresent(views, task.agent);
    return { kind: mayTry ? "again" : "failed", failed };
  }
  const next = nextCheck(task);
  return next === undefined ? { kind: "passed" } : { kind: "open", next };
}

/** The check that is to be made next, if any is. */
export function nextCheck(task: Task): string | undefined {
  if (task.results.some(({ passed }) => !passed)) return undefined;
  return checksOf(task)[task.results.length];
}
