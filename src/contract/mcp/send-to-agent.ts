import { z } from "zod";
import { adds, type ToolContract } from "./tool.js";

export const sendToAgent = {
  name: "send_to_agent",
  description:
    "Send a message to another agent. Returns at once; the target is interrupted and decides itself whether to answer. Rich payloads (code, diffs, traces) are welcome.",
  input: z.strictObject({
    target: z.string().min(1).max(200).describe("agent name, from list_agents"),
    message: z.string().min(1),
    if_limited: z
      .enum(["hold", "reject"])
      .optional()
      .describe("too soon after the last: hold it, or refuse it with retry_after_ms"),
  }),
  annotations: adds,
} as const satisfies ToolContract;
