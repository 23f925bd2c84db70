import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

export const checkMessages = {
  name: "check_messages",
  description:
    "Your unread messages, oldest first. Give `ack` of the answer to your next check or wait, or they may come again, marked repeated.",
  input: z.strictObject({
    from: z.string().min(1).max(200).optional().describe("only from this agent"),
    ack: z.string().max(100_000).optional(),
  }),
  annotations: reads,
} as const satisfies ToolContract;

export const checkMessagesOfAgents = {
  name: "check_messages",
  description: "Poll inbox for new messages. Returns all unread messages.",
  input: z.strictObject({
    agent_id: z.string().min(1).max(200).optional().describe("filter by sender"),
  }),
  annotations: reads,
} as const satisfies ToolContract;
