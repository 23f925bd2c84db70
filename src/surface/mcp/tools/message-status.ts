import * as contract from "../../../contract/mcp/message-status.js";
import { messageStatus as readStatus } from "../../shown/message-status.js";
import { defineTool } from "../tool.js";

export const messageStatus = defineTool(contract.messageStatus, {
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
