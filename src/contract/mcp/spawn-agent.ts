import { z } from "zod";
import { toolsetNames } from "../../model/toolset.js";
import { adds, type ToolContract } from "./tool.js";

export const spawnAgent = {
  name: "spawn_agent",
  description:
    "Start another agent that works on its own. project (default: yours) is its folder, backend (default: yours) the CLI it runs, message its first task. You can write to each other.",
  input: z.strictObject({
    name: z.string().min(1).max(200),
    project: z.string().min(1).max(4096).optional().describe("absolute path"),
    backend: z.string().min(1).max(200).optional(),
    model: z.string().min(1).max(200).optional(),
    tools: z.enum(toolsetNames).optional(),
    worktree: z.boolean().optional().describe("its own git worktree and branch"),
    message: z.string().min(1).optional(),
  }),
  annotations: adds,
} as const satisfies ToolContract;
