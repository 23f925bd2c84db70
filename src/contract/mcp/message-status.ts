import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

export const messageStatus = {
  name: "message_status",
  description: "How far a message of yours has come with each recipient, and on what evidence.",
  input: z.strictObject({ message_id: z.string().min(1).max(128) }),
  annotations: reads,
} as const satisfies ToolContract;
