import { z } from "zod";
import { adds, type ToolContract } from "./tool.js";

export const sendAgentMessage = {
  name: "send_agent_message",
  description:
    "Send a message to another agent session, by its id (fromSession of its messages) or its name. Returns at once. Your own session id is {session}: to be called back, tell the target to call send_agent_message('{session}', 'results: ...') when it has finished.",
  input: z.strictObject({ sessionId: z.string().min(1).max(200), message: z.string().min(1) }),
  annotations: adds,
} as const satisfies ToolContract;
