import { z } from "zod";
import { ends, type ToolContract } from "./tool.js";

const agent = z.string().min(1).max(200).describe("agent name, from list_agents");

export const shutdownAgent = {
  name: "shutdown_agent",
  description: "Graceful shutdown: the agent finishes its current work, then exits.",
  input: z.strictObject({ agent, reason: z.string().min(1).max(2000).optional() }),
  annotations: ends,
} as const satisfies ToolContract;

export const killAgent = {
  name: "kill_agent",
  description: "Force kill: SIGTERM, then SIGKILL after 5 s. Its unread mail fails.",
  input: z.strictObject({ agent }),
  annotations: ends,
} as const satisfies ToolContract;
