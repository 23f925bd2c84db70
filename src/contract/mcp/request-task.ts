import { z } from "zod";
import { adds, type ToolContract } from "./tool.js";

export const requestTask = {
  name: "request_task",
  description:
    "Ask all agents for help; one can claim it. Then wait_for_message with the request_id, or go on: the answer comes as a message.",
  input: z.strictObject({
    description: z.string().min(1).describe("what needs doing"),
    context: z.string().optional().describe("findings so far"),
    timeout_seconds: z
      .number()
      .positive()
      .optional()
      .describe("how long it waits to be claimed, default {requests.default}"),
    hubs: z.array(z.string().min(1).max(64)).max(50).optional().describe("linked hubs to ask too, or all"),
  }),
  annotations: adds,
} as const satisfies ToolContract;
