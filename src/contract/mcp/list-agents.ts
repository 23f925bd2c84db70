import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

const cursor = z.string().max(200).optional().describe("`next` of the page before");

export const listAgents = {
  name: "list_agents",
  description: "Who is here: names to write to, status, project, what they are on.",
  input: z.strictObject({ team: z.string().min(1).max(64).optional(), cursor }),
  annotations: reads,
} as const satisfies ToolContract;

export const listAgentsOfTabs = {
  name: "list_agents",
  description: "List the agents that you can message with send_to_agent, and your own name.",
  input: z.strictObject({ cursor }),
  annotations: reads,
} as const satisfies ToolContract;

export const listAgentsOfAgents = {
  name: "list_agents",
  description: "See all active agents and their current status.",
  input: z.strictObject({ cursor }),
  annotations: reads,
} as const satisfies ToolContract;
