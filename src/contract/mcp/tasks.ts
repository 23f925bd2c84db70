import { z } from "zod";
import { taskStatuses } from "../../model/task.js";
import { adds, ends, reads, type ToolContract } from "./tool.js";

const short = z.string().min(1).max(200);
const taskId = z.string().min(1).max(150);

export const assignTask = {
  name: "assign_task",
  description:
    "Give an agent a task, or start an agent for it (backend). Its result comes as a message when it ends; get_task_result has it in full.",
  input: z.strictObject({
    agent: short.optional().describe("an agent, from list_agents, or a backend"),
    backend: short.optional().describe("start an agent on this for the task"),
    name: short.optional().describe("name of the started agent"),
    model: short.optional(),
    project: z.string().min(1).max(4096).optional().describe("folder of the started agent; default yours"),
    prompt: z.string().min(1),
    output_schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the answer"),
    checks: z.array(z.string().min(1).max(64)).max(20).optional().describe("named checks that must pass"),
    attempts: z.number().int().min(1).max(20).optional().describe("tries until it passes, default 1"),
    timeout_seconds: z.number().positive().max(31_536_000).optional(),
    worktree: z.boolean().optional().describe("in a git worktree of its own"),
    keep: z.boolean().optional().describe("keep the started agent"),
  }),
  annotations: adds,
} as const satisfies ToolContract;

export const getTaskResult = {
  name: "get_task_result",
  description: "A task with its output, once it is done.",
  input: z.strictObject({
    task_id: taskId,
    wait_seconds: z.number().min(0).optional().describe("wait for its end, at most 110"),
  }),
  annotations: reads,
} as const satisfies ToolContract;

export const cancelTask = {
  name: "cancel_task",
  description: "End a task that is not wanted any more.",
  input: z.strictObject({ task_id: taskId }),
  annotations: ends,
} as const satisfies ToolContract;

export const listTasks = {
  name: "list_tasks",
  description: "The newest tasks, without their outputs.",
  input: z.strictObject({ status: z.enum(taskStatuses).optional(), agent: short.optional() }),
  annotations: reads,
} as const satisfies ToolContract;
