import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

export const getObligations = {
  name: "get_obligations",
  description:
    "What you owe others (tasks, claimed requests, unanswered questions, claimed work) and what is owed to you.",
  input: z.strictObject({ agent: z.string().min(1).max(200).optional().describe("only what it owes") }),
  annotations: reads,
} as const satisfies ToolContract;
