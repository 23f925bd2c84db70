import * as contract from "../../../contract/mcp/send-to-agent.js";
import { reaching } from "../../reaching.js";
import { defineTool } from "../tool.js";

export const sendToAgent = defineTool(contract.sendToAgent, {
  onError: { delivered: false },
  async run({ target, message, if_limited }, { ports, me, id }) {
    const receipt = await reaching(ports, target, (to) =>
      ports.execute("sendMessage", {
        from: me,
        to,
        content: message,
        attention: "interrupt",
        ifLimited: if_limited,
        id,
      }),
    );
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
