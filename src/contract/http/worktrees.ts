import { z } from "zod";
import type { RouteContract } from "./route.js";

const worktreeRow = z.object({
  name: z.string(),
  agent: z.string().describe("The agent that it was made for"),
  task_id: z.string().nullable(),
  project: z.string().describe("The folder that it is a worktree of"),
  path: z.string(),
  branch: z.string(),
  base: z.string().describe("The commit that it began at"),
  state: z
    .enum(["making", "made", "kept"])
    .describe("`made`: its agent is there. `kept`: its agent has left, with changes in it"),
  made: z.string(),
  commits: z.number().nullable().describe("Since `base`, once it is `kept`; likewise the next three"),
  files: z.number().nullable(),
  insertions: z.number().nullable(),
  deletions: z.number().nullable(),
});

const removeQuery = z.strictObject({
  force: z.boolean().optional().describe("Also with changes that are merged nowhere: they are lost"),
});

export const worktreeRoutes = {
  list: {
    method: "GET",
    path: "/api/worktrees",
    summary: "The git worktrees that were made for agents, in order of their names",
    access: "operator",
    status: 200,
    response: z.object({ worktrees: z.array(worktreeRow) }),
  },
  diff: {
    method: "GET",
    path: "/api/worktrees/:name/diff",
    summary: "What was changed in a worktree since its base, committed or not, as a patch",
    access: "operator",
    status: 200,
    response: z.object({
      diff: z.string(),
      cut: z.boolean().describe("Only the first MiB of a longer one"),
    }),
    errors: ["WORKTREE_NOT_FOUND", "WORKTREE_FAILED"],
  },
  merge: {
    method: "POST",
    path: "/api/worktrees/:name/merge",
    summary: "Merge a worktree's branch into the branch that its project is on",
    access: "operator",
    status: 200,
    response: z.object({
      branch: z.string(),
      into: z.string(),
      commit: z.string().describe("Where `into` is now"),
      changed: z.boolean().describe("False if everything was merged before"),
    }),
    errors: ["WORKTREE_NOT_FOUND", "WORKTREE_CHANGED", "MERGE_CONFLICT", "WORKTREE_FAILED"],
  },
  remove: {
    method: "DELETE",
    path: "/api/worktrees/:name",
    summary: "Remove a worktree with its branch",
    access: "operator",
    query: removeQuery,
    status: 200,
    response: z.object({ removed: z.string() }),
    errors: ["WORKTREE_NOT_FOUND", "WORKTREE_BUSY", "WORKTREE_CHANGED", "WORKTREE_FAILED"],
  },
} as const satisfies Record<string, RouteContract>;
