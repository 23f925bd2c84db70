import { z } from "zod";
import { messageStatus as readStatus } from "../../shown/message-status.js";
import { defineTool, reads } from "../tool.js";

export const messageStatus = defineTool({
  name: "message_status",
  description: "How far a message of yours has come with each recipient, and on what evidence.",
  input: z.strictObject({ message_id: z.string().min(1).max(128) }),
  annotations: reads,
  run({ message_id }, { ports, caller }) {
    const { deliveries } = readStatus(message_id, caller, ports);
    return {
      message_id,
      deliveries: deliveries.map(({ to, state, at, evidence, reason }) => ({
        to,
        state,
        at,
        evidence,
        reason,
      })),
    };
  },
});
