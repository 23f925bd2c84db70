import { z } from "zod";
import { onConditions, stepStatuses, workflowStatuses } from "../../model/workflow.js";
import { agent, number, text } from "./parts.js";
import { spawn } from "./tasks.js";

const assignee = { agent: agent.optional(), agentName: text.optional(), spawn: spawn.optional() };

const step = z.object({
  name: text,
  dependsOn: z.array(text).readonly(),
  on: z.enum(onConditions),
  onFailure: z.union([text, z.object({ retry: number })]).optional(),
  approve: z.literal(true).optional(),
  prompt: text.optional(),
  ...assignee,
  outputSchema: z.record(z.string(), z.unknown()).readonly().optional(),
  checks: z.array(text).readonly().optional(),
  attempts: number.optional(),
  timeoutMs: number.optional(),
  worktree: z.literal(true).optional(),
  keep: z.literal(true).optional(),
});

const workflow = z.object({
  id: text,
  name: text,
  by: agent,
  byName: text,
  steps: z.array(step).readonly(),
  budget: z.object({ usd: number.optional(), tokens: number.optional() }).optional(),
});

const of = { workflow: text, by: agent };

export const workflowEvents = {
  WorkflowCreated: z.object({ workflow }).describe("`by` runs a workflow (23)"),
  StepStarted: z
    .object({ ...of, step: text, task: text, attempt: number })
    .describe("A step is carried out by this task; `attempt` counts how often it was begun"),
  StepWaiting: z.object({ ...of, step: text }).describe("The person is asked whether it may run"),
  StepDecided: z
    .object({ ...of, step: text, approved: z.boolean(), comment: text.optional(), decidedBy: agent })
    .describe("The person approved or rejected it"),
  StepEnded: z
    .object({
      ...of,
      step: text,
      status: z.enum(stepStatuses),
      error: text.optional(),
      continued: z.literal(true).optional(),
    })
    .describe("`continued`: it failed, and counts as done"),
  StepsReset: z
    .object({
      ...of,
      step: text,
      steps: z.array(text).readonly(),
      resetBy: agent,
      assignee: z.object(assignee).optional(),
    })
    .describe("A step is to be run again: it, and what hung on it, are pending; `assignee` does it now"),
  WorkflowEnded: z
    .object({ ...of, state: z.enum(workflowStatuses), error: text.optional() })
    .describe("`state`: `done`, `failed`, `cancelled`"),
} as const;
