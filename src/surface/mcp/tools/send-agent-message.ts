import { z } from "zod";
import { otherSession } from "../../sessions.js";
import { adds, defineTool } from "../tool.js";

export const sendAgentMessage = defineTool({
  name: "send_agent_message",
  description:
    "Send a message to another agent session. Returns at once. Your own session id is {session}: to be called back, tell the target to call send_agent_message('{session}', 'results: ...') when it has finished.",
  input: z.strictObject({ sessionId: z.string().min(1).max(200), message: z.string().min(1) }),
  annotations: adds,
  async run({ sessionId, message }, { ports, me, id }) {
    const session = otherSession(ports, sessionId, me);
    const receipt = await ports.execute("sendMessage", { from: me, to: session.name, content: message, id });
    return {
      messageId: receipt.messageId,
      status: "dispatched",
      state: receipt.state,
      ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
      ...(receipt.delayedMs === 0 ? {} : { delayed_ms: receipt.delayedMs }),
    };
  },
});
