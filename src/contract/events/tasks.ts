import { z } from "zod";
import { taskStates } from "../../model/task.js";
import { agent, number, text } from "./parts.js";

export const spawn = z.object({
  backend: text,
  name: text.optional(),
  team: text.optional(),
  model: text.optional(),
  project: text.optional(),
  runtime: text.optional(),
});

const assigned = z.object({
  id: text,
  by: agent,
  byName: text,
  agent,
  agentName: text,
  spawn: spawn.optional(),
  keep: z.literal(true).optional(),
  prompt: text,
  outputSchema: z.record(z.string(), z.unknown()).readonly().optional(),
  checks: z.array(text).readonly().optional(),
  attempts: number,
  timeoutMs: number.optional(),
  worktree: z.literal(true).optional(),
  step: z.object({ workflow: text, step: text }).optional(),
});

const ends = { task: text, by: agent, agent };

const check = z.object({
  name: text,
  passed: z.boolean(),
  exit: number.nullable(),
  ms: number,
  output: text,
  final: z.literal(true).optional(),
});

const worktree = z.object({
  branch: text,
  path: text,
  kept: z.boolean(),
  commits: number,
  files: number,
  insertions: number,
  deletions: number,
});

const tree = { name: text, agent, by: agent, task: text.optional() };

export const taskEvents = {
  TaskAssigned: z
    .object({ task: assigned, expiresAt: number })
    .describe(
      "`by` gave `agent` a task (22); it is over by `expiresAt`, in hub time, whatever becomes of it",
    ),
  TaskStarted: z
    .object({ ...ends, attempt: number, expiresAt: number.optional() })
    .describe("Its agent has it; `expiresAt` (hub time) where it may run only so long"),
  TaskAnswered: z
    .object({ ...ends, attempt: number, output: text, cut: z.literal(true).optional() })
    .describe("Its agent is done, or says so; `cut`: only the end of a longer answer"),
  TaskChecked: z
    .object({ ...ends, attempt: number, check })
    .describe("The hub looked whether the answer passes one check; `final`: no other answer could pass it"),
  TaskReturned: z
    .object({ ...ends, attempt: number, why: text })
    .describe("The answer did not pass: its agent is told why, and tries again"),
  TaskEnded: z
    .object({ ...ends, state: z.enum(taskStates), error: text.optional(), worktree: worktree.optional() })
    .describe("`state`: `done`, `failed`, `cancelled`"),
  WorktreePlanned: z
    .object({
      worktree: z.object({
        name: text,
        agent,
        by: agent,
        task: text.optional(),
        project: text,
        path: text,
        folder: text,
        branch: text,
        base: text,
      }),
    })
    .describe("A git worktree of `project` is about to be made for `agent` (22.4), which works in `folder`"),
  WorktreeMade: z
    .object({ ...tree, project: text, path: text, branch: text, base: text })
    .describe("It is there, on a branch of its own that begins at the commit `base`"),
  WorktreeKept: z
    .object({ ...tree, result: worktree })
    .describe("Its agent has left, and something was changed in it: folder and branch stay"),
  WorktreeRemoved: z
    .object({ ...tree, result: worktree.optional(), forced: z.literal(true).optional() })
    .describe("Folder and branch are gone; `forced`: with the changes in them, as the person asked"),
  CheckAllowed: z
    .object({ agent, check: text, argv: z.array(text).readonly(), project: text, by: agent })
    .describe("The person lets this check run in this project from now on (22.3)"),
  CheckForgotten: z
    .object({ check: text, project: text, by: agent })
    .describe("The person took that back: they are asked again"),
} as const;
