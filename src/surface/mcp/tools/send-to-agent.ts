import { z } from "zod";
import { adds, defineTool } from "../tool.js";

export const sendToAgent = defineTool({
  name: "send_to_agent",
  description:
    "Send a message to another agent. Returns at once; the target is interrupted and decides itself whether to answer. Rich payloads (code, diffs, traces) are welcome.",
  input: z.strictObject({
    target: z.string().min(1).max(200).describe("agent name, from list_agents"),
    message: z.string().min(1),
  }),
  annotations: adds,
  onError: { delivered: false },
  async run({ target, message }, { ports, me, id }) {
    const receipt = await ports.execute("sendMessage", {
      from: me,
      to: target,
      content: message,
      attention: "interrupt",
      id,
    });
    return {
      delivered: true,
      target: receipt.target,
      message_id: receipt.messageId,
      state: receipt.state,
      ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
      ...(receipt.delayedMs === 0 ? {} : { delayed_ms: receipt.delayedMs }),
    };
  },
});
