import * as contract from "../../../contract/mcp/send-agent-message.js";
import { namedSession } from "../../sessions.js";
import { defineTool } from "../tool.js";

export const sendAgentMessage = defineTool(contract.sendAgentMessage, {
  async run({ sessionId, message }, { ports, me, id }) {
    const session = namedSession(ports, sessionId, me);
    const to = { id: session.id };
    const receipt = await ports.execute("sendMessage", { from: me, to, content: message, id });
    return {
      messageId: receipt.messageId,
      status: "dispatched",
      state: receipt.state,
      ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
      ...(receipt.delayedMs === 0 ? {} : { delayed_ms: receipt.delayedMs }),
    };
  },
});
