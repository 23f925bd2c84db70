import { z } from "zod";
import { adds, type ToolContract } from "./tool.js";

export const createAgentSession = {
  name: "create_agent_session",
  description:
    "Create a session that works in a directory of its own; initialMessage is sent to it at once. It runs on your backend unless you name another.",
  input: z.strictObject({
    cwd: z.string().max(4096).regex(/^\//, "must be an absolute path").describe("absolute path"),
    initialMessage: z.string().min(1).optional(),
    backend: z.string().min(1).max(200).optional(),
    model: z.string().min(1).max(200).optional(),
  }),
  annotations: adds,
} as const satisfies ToolContract;
