import { z } from "zod";
import { reads, type ToolContract } from "./tool.js";

export const getSessionState = {
  name: "get_session_state",
  description:
    "Check if a session is idle or streaming, and what was said last, if that is yours to read. Use it to poll sessions that you created.",
  input: z.strictObject({ sessionId: z.string().min(1).max(200) }),
  annotations: reads,
} as const satisfies ToolContract;
