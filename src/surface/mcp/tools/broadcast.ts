import * as contract from "../../../contract/mcp/broadcast.js";
import type { Caller } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { isOrchestrator } from "../roles.js";
import { defineTool, type ToolCall } from "../tool.js";

const onError = { delivered_to: [], failed: [] };

function isFor(caller: Caller, { limits }: HubPorts): boolean {
  return limits.broadcast === "anyone" || isOrchestrator(caller);
}

export const broadcast = defineTool(contract.broadcast, {
  isFor,
  onError,
  run: (input, call) => send(input, call),
});

/** As the tabs' document has it. */
export const broadcastOfTabs = defineTool(contract.broadcastOfTabs, {
  isFor,
  onError,
  run: ({ message }, call) => send({ content: message, attention: "interrupt" }, call),
});

/** As the orchestrators' document has it. */
export const broadcastOfOrchestrators = defineTool(contract.broadcastOfOrchestrators, {
  isFor,
  onError,
  run: (input, call) => send(input, call),
});

type Broadcast = {
  content: string;
  team?: string | undefined;
  attention?: "queue" | "interrupt" | "fyi" | undefined;
};

async function send(input: Broadcast, { ports, me, id }: ToolCall) {
  const { messageId, deliveredTo, failed } = await ports.execute("broadcast", { from: me, ...input, id });
  return { delivered_to: deliveredTo, failed, message_id: messageId };
}
