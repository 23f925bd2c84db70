import { z } from "zod";
import { spawnBody } from "../http/hosting.js";
import { adds, type ToolContract } from "./tool.js";

export const spawnAgent = {
  name: "spawn_agent",
  description:
    "Start another agent that works on its own, with a name and an inbox. project (default: yours) is the folder it works in, backend (default: yours) the CLI it runs, message its first task. It can write to you; you to it.",
  input: z.strictObject({
    name: z.string().min(1).max(200),
    project: spawnBody.shape.project.describe("absolute path"),
    backend: spawnBody.shape.backend,
    model: spawnBody.shape.model,
    message: spawnBody.shape.message,
  }),
  annotations: adds,
} as const satisfies ToolContract;
