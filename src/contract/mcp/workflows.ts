import { z } from "zod";
import { onConditions, workflowStatuses } from "../../model/workflow.js";
import { adds, ends, reads, type ToolContract } from "./tool.js";

const short = z.string().min(1).max(200);
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const workflowId = z.string().min(1).max(150);

const step = z.strictObject({
  name: name.optional().describe("default: its agent, then with -2"),
  agent: short.optional().describe("an agent, from list_agents, or a backend: then one is started"),
  backend: short.optional(),
  prompt: z.string().min(1).optional().describe("{{NAME.output}} stands for what a step put out"),
  model: short.optional(),
  project: z.string().min(1).max(4096).optional(),
  depends_on: z.array(name).max(1000).optional().describe("names of steps that must have ended first"),
  on: z.enum(onConditions).optional().describe("of what it depends on; default success"),
  on_failure: z
    .union([z.enum(["fail", "continue"]), z.strictObject({ retry: z.number().int().min(1).max(20) })])
    .optional(),
  approve: z.boolean().optional().describe("the person is asked first; without a prompt, only that"),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  checks: z.array(z.string().min(1).max(64)).max(20).optional(),
  attempts: z.number().int().min(1).max(20).optional(),
  timeout_seconds: z.number().positive().max(31_536_000).optional(),
  worktree: z.boolean().optional(),
  keep: z.boolean().optional(),
});

export const createWorkflow = {
  name: "create_workflow",
  description:
    "Define a task chain where output flows between agents. Steps run as soon as what they depend on is done. You are told when it ends; get_workflow has the outputs.",
  input: z.strictObject({ name: short, steps: z.array(step) }),
  annotations: adds,
} as const satisfies ToolContract;

export const getWorkflow = {
  name: "get_workflow",
  description: "A workflow with its steps and their outputs.",
  input: z.strictObject({
    workflow_id: workflowId,
    wait_seconds: z.number().min(0).optional().describe("wait for its end, at most 110"),
  }),
  annotations: reads,
} as const satisfies ToolContract;

export const listWorkflows = {
  name: "list_workflows",
  description: "The newest workflows.",
  input: z.strictObject({ status: z.enum(workflowStatuses).optional() }),
  annotations: reads,
} as const satisfies ToolContract;

export const cancelWorkflow = {
  name: "cancel_workflow",
  description: "End a workflow: what runs is cancelled, what has not begun does not.",
  input: z.strictObject({ workflow_id: workflowId }),
  annotations: ends,
} as const satisfies ToolContract;

export const retryStep = {
  name: "retry_step",
  description: "Run a step again that did not succeed, and what waited for it.",
  input: z.strictObject({
    workflow_id: workflowId,
    step: name,
    agent: short.optional().describe("give it to another agent, or to a backend"),
  }),
  annotations: adds,
} as const satisfies ToolContract;
