import { z } from "zod";
import type { Caller } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { isOrchestrator } from "../roles.js";
import { adds, defineTool, type ToolCall } from "../tool.js";

const onError = { delivered_to: [], failed: [] };

function isFor(caller: Caller, { limits }: HubPorts): boolean {
  return limits.broadcast === "anyone" || isOrchestrator(caller);
}

export const broadcast = defineTool({
  name: "broadcast",
  description: "Send one message to all other agents, or to a team. For what everybody must know.",
  input: z.strictObject({
    content: z.string().min(1),
    team: z.string().min(1).max(64).optional(),
    attention: z.enum(["queue", "interrupt", "fyi"]).optional(),
  }),
  annotations: adds,
  isFor,
  onError,
  run: (input, call) => send(input, call),
});

/** As the tabs' document has it. */
export const broadcastOfTabs = defineTool({
  name: "broadcast",
  description: "Send a message to all agents except yourself.",
  input: z.strictObject({ message: z.string().min(1) }),
  annotations: adds,
  isFor,
  onError,
  run: ({ message }, call) => send({ content: message, attention: "interrupt" }, call),
});

/** As the orchestrators' document has it. */
export const broadcastOfOrchestrators = defineTool({
  name: "broadcast",
  description: "Send a message to all active agents.",
  input: z.strictObject({ content: z.string().min(1) }),
  annotations: adds,
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
