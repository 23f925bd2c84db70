import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

export const getAgentStatus = {
  name: "get_agent_status",
  description: "Health and progress of all active agents; of the dead for a while.",
  input: z.strictObject({}),
  annotations: reads,
} as const satisfies ToolContract;
