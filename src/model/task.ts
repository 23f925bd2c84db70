import type { AgentId } from "./agent.js";
import type { RuntimeKind } from "./hosting.js";

export type TaskId = string;
type WorkflowId = string;

/*
 * A prompt that is assigned to an agent, with a result.
 *
 *   pending → running → checking → done
 *
 * or, at its end, failed or cancelled. `pending`: its agent does not have it yet, or is still being started. `running`: the
 * agent is at it. `checking`: the agent answered, and the hub looks whether the answer passes; if it does not, the agent is
 * told why and the task is pending again, as often as it has attempts. People read `waiting` where the person is asked.
 */
export const taskStates = ["pending", "running", "checking", "done", "failed", "cancelled"] as const;
export type TaskState = (typeof taskStates)[number];
export const taskStatuses = [...taskStates, "waiting"] as const;

const endedTaskStates = ["done", "failed", "cancelled"] as const;
export type EndedTaskState = (typeof endedTaskStates)[number];

export function isTaskEnded(state: TaskState): state is EndedTaskState {
  return endedTaskStates.some((ended) => ended === state);
}

/** The agent that is started for a task, under the id that the task has for it. */
export type TaskSpawn = {
  backend: string;
  name?: string;
  team?: string;
  model?: string;
  /** The folder it works in; that of whoever assigns the task, unless it is given. */
  project?: string;
  runtime?: RuntimeKind;
};

/** The step of a workflow that a task carries out. */
export type TaskStep = { workflow: WorkflowId; step: string };

export type AssignedTask = {
  id: TaskId;
  by: AgentId;
  byName: string;
  agent: AgentId;
  agentName: string;
  /** It is started for this task, and ends with it unless `keep`. */
  spawn?: TaskSpawn;
  keep?: true;
  prompt: string;
  /** A JSON Schema that the answer must fit. */
  outputSchema?: Readonly<Record<string, unknown>>;
  /** Names of checks in the configuration. */
  checks?: readonly string[];
  /** How often the agent may try, 1 or more. */
  attempts: number;
  /** How long it may run, from its start. */
  timeoutMs?: number;
  /** Its agent works in a git worktree of its own. */
  worktree?: true;
  step?: TaskStep;
};

/** The name under which the result of an output schema stands among the checks. */
export const schemaCheck = "output_schema";

/** What a check of the answer came to. `exit` is null when the check never ran to its end. */
export type CheckResult = {
  name: string;
  passed: boolean;
  exit: number | null;
  ms: number;
  /** The end of what it printed, or why it did not run. */
  output: string;
  /** No other answer could pass it: the person does not allow it to run, say. */
  final?: true;
};

/** What became of a worktree: its branch stays where something was changed. */
export type WorktreeResult = {
  branch: string;
  path: string;
  kept: boolean;
  commits: number;
  files: number;
  insertions: number;
  deletions: number;
};

/** Whether an answer is looked at before it counts. */
export function isChecked({ checks, outputSchema, worktree }: AssignedTask): boolean {
  return (checks?.length ?? 0) > 0 || outputSchema !== undefined || worktree === true;
}

/** What an answer must pass, in order. */
export function checksOf({ checks, outputSchema }: AssignedTask): string[] {
  return [...(outputSchema === undefined ? [] : [schemaCheck]), ...(checks ?? [])];
}

export function taskIdFrom(id: string): TaskId {
  return id.startsWith("task-") ? id : `task-${id}`;
}
