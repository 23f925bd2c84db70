import { z } from "zod";
import { onConditions, stepStatuses, workflowStatuses } from "../../model/workflow.js";
import { messageId } from "./messages.js";
import type { RouteContract } from "./route.js";
import { taskAgent, taskTerms, taskView } from "./tasks.js";
import { usageTotals } from "./usage.js";

const text = (max: number) => z.string().min(1).max(max);

/** Names stand in templates and paths. */
const stepName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    "letters, digits, - and _, at most 64, beginning with a letter or digit",
  );

const onFailure = z.union([
  z.enum(["fail", "continue"]),
  z.strictObject({ retry: z.number().int().min(1).max(20) }),
]);

const { name: _agentsName, ...stepAgent } = taskAgent;

export const workflowStep = z.strictObject({
  name: stepName.optional().describe("Default: its agent or backend, then with -2, -3"),
  ...stepAgent,
  ...taskTerms,
  prompt: taskTerms.prompt
    .optional()
    .describe("What is to be done; a step that only asks for approval has none"),
  depends_on: z.array(stepName).max(1000).optional().describe("Steps that must have ended first"),
  on: z
    .enum(onConditions)
    .optional()
    .describe(
      "When it runs: `success` (default) all dependencies are done, `failure` one has failed, `always` all have ended",
    ),
  on_failure: onFailure
    .optional()
    .describe("`fail` (default), `continue` (it counts as done), or `{retry: n}`"),
  approve: z.boolean().optional().describe("It waits for the person before it runs"),
});

/** The same in a file that `huddle workflow run` takes. */
export const workflowDefinition = z.strictObject({
  name: text(200).describe("What people call it"),
  project: taskAgent.project,
  steps: z.array(workflowStep).describe("At least one, at most `workflows.steps`"),
  budget: z
    .strictObject({
      usd: z.number().positive().optional(),
      tokens: z.number().int().positive().optional(),
    })
    .optional()
    .describe("What all steps together may use; then the person is asked"),
});

const createBody = workflowDefinition.extend({
  id: messageId
    .max(100, "at most 100 characters")
    .optional()
    .describe("So that a retry is safe: the workflow's id is `wf-` and this; default: a new UUIDv7"),
});

const stepView = z.object({
  name: z.string(),
  agent: z.string(),
  backend: z.string().optional().describe("On which its agent is started"),
  status: z.enum(stepStatuses),
  waits_for: z.string().optional().describe("What keeps its task from going on, as the task says it"),
  depends_on: z.array(z.string()),
  on: z.enum(onConditions),
  approve: z.literal(true).optional(),
  attempt: z.number().describe("How often it was begun"),
  repeated: z.literal(true).optional(),
  task_id: z.string().nullable().describe("Its newest task"),
  output: z.string().nullable(),
  error: z.string().nullable(),
  started: z.string().nullable(),
  asked: z.string().nullable().describe("When the person was asked whether it may run"),
  assigned: z
    .string()
    .nullable()
    .describe("When its agent was given it: until `began` it waits for its turn"),
  began: z.string().nullable().describe("When its agent began with it"),
  waiting_since: z.string().optional().describe("Since when it waits for the person"),
  ended: z.string().nullable(),
});

const workflowView = z.object({
  workflow_id: z.string(),
  name: z.string(),
  by: z.string(),
  status: z.enum(workflowStatuses),
  steps: z.array(stepView),
  usage: usageTotals,
  created: z.string(),
  ended: z.string().nullable(),
});

const workflowRow = workflowView.omit({ steps: true, usage: true }).extend({
  steps: z.number(),
  ended_steps: z.number().describe("How many of them have ended"),
  done_steps: z.number().describe("How many of them are done"),
  failed_at: z.string().optional().describe("The first step of the definition that has failed"),
});

/** What flows into a step: what another one put out, or how else that ended. */
const inputView = z.object({
  step: z.string(),
  status: z.enum(stepStatuses),
  output: z.string().nullable(),
  error: z.string().nullable(),
});

const stepDetails = stepView.extend({
  prompt: z.string().nullable().describe("As it was written; null for a step that only asks"),
  inputs: z
    .array(inputView)
    .describe(
      "The steps that its prompt names, and those that it depends on, in the order of the definition",
    ),
  on_failure: onFailure.optional(),
  comment: z.string().nullable().describe("What the person said when they approved or rejected it"),
  tries: z
    .array(taskView.omit({ prompt: true, output: true, output_cut: true, workflow: true, step: true }))
    .describe("Its tasks, oldest first; the last of them is `task_id`"),
});

const listQuery = z.strictObject({
  status: z.enum(workflowStatuses).optional().describe("Default: all"),
  limit: z.number().int().min(1).max(500).default(50),
  cursor: z.string().min(1).max(200).optional().describe("`next` of the page before"),
});

const showQuery = z.strictObject({
  wait: z.number().min(0).optional().describe("Seconds to wait for its end; at most `inbox.wait_max`"),
  outputs: z.boolean().optional().describe("Whether the steps' outputs are in it; default true"),
});

const retryBody = z.strictObject({
  agent: text(200).optional().describe("Another agent, or a backend, that is to do it"),
});
const decideBody = z.strictObject({
  comment: text(2000).optional().describe("For whoever reads the step's output, or why it was rejected"),
});

export const workflowRoutes = {
  create: {
    method: "POST",
    path: "/api/workflows",
    summary:
      "Run a workflow: steps that agents carry out, in the order of their dependencies; for the operator and orchestrators",
    access: "member",
    body: createBody,
    ifTooWide: ({ workflowSteps }) =>
      `A workflow has at most ${workflowSteps} steps (workflows.steps): make several of it`,
    status: 201,
    response: z.object({ workflow_id: z.string(), steps: z.number() }),
    errors: [
      "WORKFLOW_INVALID",
      "AGENT_NOT_FOUND",
      "AGENT_GONE",
      "NAME_AMBIGUOUS",
      "BACKEND_UNKNOWN",
      "CHECK_UNKNOWN",
      "PROJECT_NOT_ALLOWED",
      "ID_REUSED",
      "WORKFLOWS_FULL",
    ],
  },
  list: {
    method: "GET",
    path: "/api/workflows",
    summary: "Workflows, newest first, in pages",
    access: "member",
    query: listQuery,
    status: 200,
    response: z.object({ workflows: z.array(workflowRow), next: z.string().nullable() }),
  },
  show: {
    method: "GET",
    path: "/api/workflows/:id",
    summary: "One workflow with its steps; `wait` waits for its end",
    access: "member",
    query: showQuery,
    status: 200,
    response: workflowView,
    errors: ["WORKFLOW_NOT_FOUND", "TOO_MANY_READERS"],
  },
  step: {
    method: "GET",
    path: "/api/workflows/:id/steps/:step",
    summary: "One step: its prompt, what flows into it, what it put out, and every time it was tried",
    access: "member",
    status: 200,
    response: stepDetails,
    errors: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND"],
  },
  cancel: {
    method: "POST",
    path: "/api/workflows/:id/cancel",
    summary: "End a workflow: what runs is cancelled, what has not begun does not",
    access: "member",
    status: 200,
    response: workflowView,
    errors: ["WORKFLOW_NOT_FOUND"],
  },
  retry: {
    method: "POST",
    path: "/api/workflows/:id/steps/:step/retry",
    summary: "Run a step that failed again, and what waited for it; `agent` gives it to another",
    access: "member",
    body: retryBody,
    status: 200,
    response: workflowView,
    errors: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "STEP_NOT_ENDED", "AGENT_NOT_FOUND", "AGENT_GONE"],
  },
  approve: {
    method: "POST",
    path: "/api/workflows/:id/steps/:step/approve",
    summary: "Let a step go on that waits for the person",
    access: "operator",
    body: decideBody,
    status: 200,
    response: workflowView,
    errors: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "STEP_NOT_WAITING"],
  },
  reject: {
    method: "POST",
    path: "/api/workflows/:id/steps/:step/reject",
    summary: "Refuse a step that waits for the person: it has failed",
    access: "operator",
    body: decideBody,
    status: 200,
    response: workflowView,
    errors: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "STEP_NOT_WAITING"],
  },
} as const satisfies Record<string, RouteContract>;
