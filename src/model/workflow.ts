/*
 * Steps that agents carry out, each as a task, as soon as the steps that they depend on have ended.
 *
 * A step is pending until then; `waiting` while the person is asked whether it may run, or while its task waits for the
 * person; then running, done or failed. `blocked`: what it depends on failed. `skipped`: its condition (`on`) was not met.
 */
export const stepStatuses = [
  "pending",
  "running",
  "waiting",
  "done",
  "failed",
  "blocked",
  "skipped",
  "cancelled",
] as const;

export const workflowStatuses = ["running", "waiting", "done", "failed", "cancelled"] as const;

export const onConditions = ["success", "failure", "always"] as const;
