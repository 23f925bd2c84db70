import { z } from "zod";
import { adds, type ToolContract } from "./tool.js";

export const broadcast = {
  name: "broadcast",
  description: "Send one message to all other agents, or to a team. For what everybody must know.",
  input: z.strictObject({
    content: z.string().min(1),
    team: z.string().min(1).max(64).optional(),
    attention: z.enum(["queue", "interrupt", "fyi"]).optional(),
  }),
  annotations: adds,
} as const satisfies ToolContract;

export const broadcastOfTabs = {
  name: "broadcast",
  description: "Send a message to all agents except yourself.",
  input: z.strictObject({ message: z.string().min(1) }),
  annotations: adds,
} as const satisfies ToolContract;

export const broadcastOfOrchestrators = {
  name: "broadcast",
  description: "Send a message to all active agents.",
  input: z.strictObject({ content: z.string().min(1) }),
  annotations: adds,
} as const satisfies ToolContract;
