import { z } from "zod";
import { runtimeKinds } from "../../model/hosting.js";
import { taskStatuses } from "../../model/task.js";
import { messageId } from "./messages.js";
import type { RouteContract } from "./route.js";
import { usageTotals } from "./usage.js";

const text = (max: number) => z.string().min(1).max(max);

/** What a task asks for beside its agent; steps of workflows take the same. */
export const taskTerms = {
  prompt: z.string().min(1).describe("What is to be done"),
  output_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("A JSON Schema: the answer must be JSON that fits it (22.3)"),
  checks: z
    .array(text(64))
    .max(20)
    .optional()
    .describe("Checks of the configuration that must pass, in this order (22.3)"),
  attempts: z
    .number()
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe("How often the agent may try until the answer passes; default 1"),
  timeout_seconds: z
    .number()
    .positive()
    .max(31_536_000)
    .optional()
    .describe("How long it may run; without it only `tasks.within` ends it"),
  worktree: z
    .boolean()
    .optional()
    .describe("The agent that is started for it works in a git worktree of the project (22.4)"),
  keep: z.boolean().optional().describe("The agent that is started for it stays when it ends"),
};

/** Who does it: an agent that is here, or one that is started for it. */
export const taskAgent = {
  agent: text(200)
    .optional()
    .describe("An agent; one that is here, or the name of a backend: then one is started"),
  backend: text(200)
    .optional()
    .describe("What an agent is started on for this task; not together with `agent`"),
  name: text(200).optional().describe("The name of the agent that is started"),
  team: text(200).optional().describe("Its team"),
  model: text(200).optional().describe("Its model"),
  project: text(4096).optional().describe("An absolute path: where it works; default: the caller's own"),
  runtime: z.enum(runtimeKinds).optional().describe("How it is driven"),
};

const assignBody = z.strictObject({
  ...taskAgent,
  ...taskTerms,
  id: messageId
    .max(100, "at most 100 characters")
    .optional()
    .describe("So that a retry is safe: the task's id is `task-` and this; default: a new UUIDv7"),
});

const taskAssigned = z.object({
  task_id: z.string(),
  agent: z.string(),
  status: z.enum(taskStatuses),
});

const checkView = z.object({
  name: z.string(),
  passed: z.boolean(),
  exit: z.number().nullable().describe("Null if it did not run to its end"),
  ms: z.number(),
  output: z.string().describe("The end of what it printed"),
});

const worktreeView = z.object({
  branch: z.string(),
  path: z.string(),
  kept: z.boolean().describe("Something was changed in it: branch and folder are still there"),
  commits: z.number(),
  files: z.number(),
  insertions: z.number(),
  deletions: z.number(),
});

export const taskView = z.object({
  task_id: z.string(),
  agent: z.string(),
  by: z.string(),
  status: z.enum(taskStatuses),
  waits_for: z
    .string()
    .optional()
    .describe("What keeps it from going on: an answer of the person, an agent that is paused"),
  prompt: z.string(),
  output: z.string().nullable(),
  output_cut: z.literal(true).optional().describe("Only the end of a longer answer was kept"),
  error: z.string().nullable(),
  attempt: z.number(),
  attempts: z.number(),
  repeated: z
    .literal(true)
    .optional()
    .describe("Its agent was given it again after it died or could not go on"),
  checks: z.array(checkView),
  worktree: worktreeView.nullable(),
  usage: usageTotals.describe("What the turns about it used so far (25.1)"),
  assigned: z.string(),
  started: z.string().nullable(),
  ended: z.string().nullable(),
  workflow: z.string().optional(),
  step: z.string().optional(),
});

const listQuery = z.strictObject({
  status: z.enum(taskStatuses).optional().describe("Default: all"),
  agent: text(200).optional().describe("Only those of this agent"),
  limit: z.number().int().min(1).max(500).default(50),
  cursor: z.string().min(1).max(200).optional().describe("`next` of the page before"),
});

const showQuery = z.strictObject({
  wait: z.number().min(0).optional().describe("Seconds to wait for its end; at most `inbox.wait_max`"),
});

export const taskRoutes = {
  assign: {
    method: "POST",
    path: "/api/tasks",
    summary:
      "Assign a task to an agent, or to one that is started for it; for the operator and orchestrators",
    access: "member",
    body: assignBody,
    status: 201,
    response: taskAssigned,
    errors: [
      "AGENT_NOT_FOUND",
      "AGENT_GONE",
      "NAME_AMBIGUOUS",
      "SELF_SEND",
      "BACKEND_UNKNOWN",
      "CHECK_UNKNOWN",
      "PROJECT_NOT_ALLOWED",
      "NAME_INVALID",
      "NAME_RESERVED",
      "ID_REUSED",
      "INBOX_FULL",
      "TASKS_FULL",
      "CONVERSATION_FROZEN",
    ],
  },
  list: {
    method: "GET",
    path: "/api/tasks",
    summary:
      "Tasks, newest first, in pages: an agent sees those that it assigned or was assigned, an orchestrator all",
    access: "member",
    query: listQuery,
    status: 200,
    response: z.object({ tasks: z.array(taskView), next: z.string().nullable() }),
    errors: ["AGENT_NOT_FOUND"],
  },
  show: {
    method: "GET",
    path: "/api/tasks/:id",
    summary: "One task with its result; `wait` waits for its end",
    access: "member",
    query: showQuery,
    status: 200,
    response: taskView,
    errors: ["TASK_NOT_FOUND", "TOO_MANY_READERS"],
  },
  cancel: {
    method: "POST",
    path: "/api/tasks/:id/cancel",
    summary: "End a task that is not wanted any more; one that has ended stays as it is",
    access: "member",
    status: 200,
    response: taskView,
    errors: ["TASK_NOT_FOUND"],
  },
} as const satisfies Record<string, RouteContract>;
