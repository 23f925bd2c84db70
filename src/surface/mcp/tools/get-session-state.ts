import { z } from "zod";
import { sessionState } from "../../sessions.js";
import { defineTool, reads } from "../tool.js";

export const getSessionState = defineTool({
  name: "get_session_state",
  description:
    "Check if a session is idle or streaming, and what was said last. Use it to poll sessions that you created.",
  input: z.strictObject({ sessionId: z.string().min(1).max(200) }),
  annotations: reads,
  run: ({ sessionId }, { ports }) => sessionState(ports, sessionId),
});
