import type { ErrorContract } from "./error-contract.js";

/** The refusals of tasks, workflows, worktrees, checks and budgets. */
export const workErrors = {
  BUDGET_NOT_REACHED: {
    status: 409,
    exit: "failed",
    beside: "`reached: [{kind, key}]`: those that wait",
    fix: "Decide one of `reached`; `GET /api/needs-you` lists them",
  },
  TASK_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`task_id`",
    fix: "List them: `GET /api/tasks`",
  },
  TASKS_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Wait until some have ended, or raise `tasks.open_cap`",
  },
  WORKTREE_FAILED: {
    status: 424,
    exit: "failed",
    beside: "`project`",
    fix: "The sentence says what git needs: a repository with a commit, a branch, a clean file",
  },
  WORKTREES_FULL: {
    status: 409,
    exit: "failed",
    beside: "`cap`",
    fix: "Merge or remove some: `huddle worktree list`; or raise `worktree.cap`",
  },
  WORKTREE_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`available: [name]`",
    fix: "Use a name in `available`",
  },
  WORKTREE_BUSY: {
    status: 409,
    exit: "failed",
    beside: "`agents: [name]`: who works in it",
    fix: "Wait until its agent has left, or shut it down",
  },
  WORKTREE_CHANGED: {
    status: 409,
    exit: "failed",
    beside: "`commits`, `files`: what would be lost; `loose`: files that are not committed",
    fix: "Merge it, or remove it with `force`",
  },
  MERGE_CONFLICT: {
    status: 409,
    exit: "failed",
    beside: "`files: [path]`",
    fix: "Nothing has changed: merge the branch by hand, in the project",
  },
  CHECK_UNKNOWN: {
    status: 400,
    exit: "usage",
    beside: "`available: [name]`",
    fix: "Use one in `available`, or add it to `checks` in `huddle.yaml`",
  },
  SETUP_NOT_ALLOWED: {
    status: 409,
    exit: "failed",
    beside: "`project`, `argv`: what would run there",
    fix: "The person allows it: `huddle checks allow worktree.setup --project DIR`; then spawn again",
  },
  WORKFLOW_INVALID: {
    status: 400,
    exit: "usage",
    beside: "`issues: [{field, problem}]`: all that is wrong with its steps",
    fix: "Correct what `issues` names: cycles, unknown dependencies, equal names, templates",
  },
  WORKFLOW_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`workflow_id`",
    fix: "List them: `GET /api/workflows`",
  },
  WORKFLOWS_FULL: {
    status: 429,
    exit: "rate-limited",
    beside: "`cap`",
    retryAfter: 5,
    fix: "Wait until some have ended, or raise `workflows.open_cap`",
  },
  STEP_NOT_FOUND: {
    status: 404,
    exit: "not found",
    beside: "`available: [name]`",
    fix: "Use a step in `available`",
  },
  STEP_NOT_ENDED: {
    status: 409,
    exit: "failed",
    beside: "`status`",
    fix: "Only a step that failed, was blocked, skipped or cancelled is run again",
  },
  STEP_NOT_WAITING: {
    status: 409,
    exit: "failed",
    beside: "`status`",
    fix: "Only a step that waits for approval is approved or rejected",
  },
} as const satisfies Record<string, ErrorContract>;
