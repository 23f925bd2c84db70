import { z } from "zod";
import { createSessionBody } from "../http/sessions.js";
import { adds, type ToolContract } from "./tool.js";

export const createAgentSession = {
  name: "create_agent_session",
  description:
    "Create a session that works in a directory of its own; initialMessage is sent to it at once. It runs on your backend unless you name another.",
  input: z.strictObject({
    cwd: createSessionBody.shape.cwd.describe("absolute path"),
    initialMessage: createSessionBody.shape.initialMessage,
    backend: createSessionBody.shape.backend,
    model: createSessionBody.shape.model,
  }),
  annotations: adds,
} as const satisfies ToolContract;
