import type { AgentId } from "./agent.js";
import type { MemoryEvents } from "./memory.js";
import type { CheckCommand } from "./permission.js";
import type {
  AssignedTask,
  CheckResult,
  EndedTaskState,
  TaskId,
  WorkflowId,
  WorktreeResult,
} from "./task.js";
import type { EndedStepStatus, EndedWorkflowState, StepAssignee, Workflow } from "./workflow.js";
import type { PlannedWorktree } from "./worktree.js";

/** What happens to tasks, the worktrees and checks that they use, workflows, and what agents share. */
export type WorkEvents = MemoryEvents & {
  /** `expiresAt` is hub time: whatever becomes of it, it has ended by then. */
  TaskAssigned: { task: AssignedTask; expiresAt: number };
  /** Its agent has it. `expiresAt` is hub time, where it may run only so long. */
  TaskStarted: { task: TaskId; by: AgentId; agent: AgentId; attempt: number; expiresAt?: number };
  /** Its agent is done with it, or says so; whether it is, is looked at next. `cut`: the output was longer. */
  TaskAnswered: {
    task: TaskId;
    by: AgentId;
    agent: AgentId;
    attempt: number;
    output: string;
    cut?: true;
  };
  /** One check of the answer was made. */
  TaskChecked: { task: TaskId; by: AgentId; agent: AgentId; attempt: number; check: CheckResult };
  /** The answer did not pass, and the agent is told why: it has another try. */
  TaskReturned: { task: TaskId; by: AgentId; agent: AgentId; attempt: number; why: string };
  TaskEnded: {
    task: TaskId;
    by: AgentId;
    agent: AgentId;
    state: EndedTaskState;
    error?: string;
    worktree?: WorktreeResult;
  };
  /** It is about to be made, as planned. */
  WorktreePlanned: { worktree: PlannedWorktree };
  WorktreeMade: {
    name: string;
    agent: AgentId;
    by: AgentId;
    task?: TaskId;
    project: string;
    path: string;
    branch: string;
    base: string;
  };
  /** Its agent is gone, and there is something in it. */
  WorktreeKept: { name: string; agent: AgentId; by: AgentId; task?: TaskId; result: WorktreeResult };
  /** `forced`: with whatever was in it, as the person asked. */
  WorktreeRemoved: {
    name: string;
    agent: AgentId;
    by: AgentId;
    task?: TaskId;
    result?: WorktreeResult;
    forced?: true;
  };
  /** The person allows a check in a project from now on, as it stands. `agent`: whose task it was asked for. */
  CheckAllowed: CheckCommand & { agent: AgentId; by: AgentId };
  CheckForgotten: Pick<CheckCommand, "check" | "project"> & { by: AgentId };
  WorkflowCreated: { workflow: Workflow };
  /** The task of this id carries it out. `attempt` counts how often the step was begun. */
  StepStarted: { workflow: WorkflowId; by: AgentId; step: string; task: TaskId; attempt: number };
  /** The person is asked whether it may run. */
  StepWaiting: { workflow: WorkflowId; by: AgentId; step: string };
  StepDecided: {
    workflow: WorkflowId;
    by: AgentId;
    step: string;
    approved: boolean;
    comment?: string;
    decidedBy: AgentId;
  };
  /** `continued`: it failed, and counts as done. */
  StepEnded: {
    workflow: WorkflowId;
    by: AgentId;
    step: string;
    status: EndedStepStatus;
    error?: string;
    continued?: true;
  };
  /** A step is to be run again, and with it what hung on it: they are pending. */
  StepsReset: {
    workflow: WorkflowId;
    by: AgentId;
    step: string;
    steps: readonly string[];
    resetBy: AgentId;
    /** Who does that step now. */
    assignee?: StepAssignee;
  };
  WorkflowEnded: { workflow: WorkflowId; by: AgentId; state: EndedWorkflowState; error?: string };
};
