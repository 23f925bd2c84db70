import type { AgentId } from "./agent.js";
import type { RuntimeKind } from "./hosting.js";
import type { AssignedTask, TaskSpawn, WorkflowId } from "./task.js";

/*
 * Steps that agents carry out, each as a task, as soon as the steps that they depend on have ended.
 *
 * A step is pending until then; `waiting` while the person is asked whether it may run, or while its task waits for the
 * person; then running, done or failed. `blocked`: what it depends on failed. `skipped`: its condition (`on`) was not met.
 * A retry makes a step that has ended, and what hung on it, pending again.
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
export type StepStatus = (typeof stepStatuses)[number];

const endedStepStatuses = ["done", "failed", "blocked", "skipped", "cancelled"] as const;
export type EndedStepStatus = (typeof endedStepStatuses)[number];

export function isStepEnded(status: StepStatus): status is EndedStepStatus {
  return endedStepStatuses.some((ended) => ended === status);
}

/** `waiting` is shown where only the person can let it go on; what is stored is `running`. */
export const workflowStatuses = ["running", "waiting", "done", "failed", "cancelled"] as const;
export type WorkflowState = Exclude<(typeof workflowStatuses)[number], "waiting">;
export type EndedWorkflowState = Exclude<WorkflowState, "running">;

export const onConditions = ["success", "failure", "always"] as const;
type OnCondition = (typeof onConditions)[number];

export type OnFailure = "fail" | "continue" | { retry: number };

/** A step as somebody wrote it, in the words of the wire and of definition files. */
export type DefinedStep = {
  name?: string | undefined;
  agent?: string | undefined;
  backend?: string | undefined;
  team?: string | undefined;
  model?: string | undefined;
  project?: string | undefined;
  runtime?: RuntimeKind | undefined;
  prompt?: string | undefined;
  output_schema?: Readonly<Record<string, unknown>> | undefined;
  checks?: readonly string[] | undefined;
  attempts?: number | undefined;
  timeout_seconds?: number | undefined;
  worktree?: boolean | undefined;
  keep?: boolean | undefined;
  depends_on?: readonly string[] | undefined;
  on?: OnCondition | undefined;
  on_failure?: OnFailure | undefined;
  approve?: boolean | undefined;
};

/** Who does a step: one that is here, by its id, or one that is started for it. */
export type StepAssignee = { agent?: AgentId; agentName?: string; spawn?: TaskSpawn };

/** A step as the hub runs it. One without a prompt only asks the person. */
export type WorkflowStep = StepAssignee & {
  name: string;
  dependsOn: readonly string[];
  on: OnCondition;
  onFailure?: OnFailure;
  approve?: true;
  prompt?: string;
} & Partial<Pick<AssignedTask, "outputSchema" | "checks" | "attempts" | "timeoutMs" | "worktree" | "keep">>;

export type WorkflowBudget = { usd?: number; tokens?: number };

export type Workflow = {
  id: WorkflowId;
  name: string;
  by: AgentId;
  byName: string;
  steps: readonly WorkflowStep[];
  budget?: WorkflowBudget;
};

export function workflowIdFrom(id: string): WorkflowId {
  return id.startsWith("wf-") ? id : `wf-${id}`;
}
