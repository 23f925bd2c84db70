import { z } from "zod";
import { attentions } from "../../../model/attention.js";
import { adds, defineTool, type ToolCall } from "../tool.js";

const onError = { delivered: false };
const replyTo = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .describe("id of the message or request that this answers");

export const sendMessage = defineTool({
  name: "send_message",
  description:
    "Send a message to an agent, or to the person as `user`. Returns at once; delivered means durably in their inbox, not read. An answer comes as a message.",
  input: z.strictObject({
    to: z.string().min(1).max(200),
    content: z.string().min(1),
    reply_to: replyTo,
    attention: z
      .enum(attentions)
      .optional()
      .describe("interrupt cuts their turn, queue (default) waits for it, fyi never starts one"),
    if_limited: z
      .enum(["hold", "reject"])
      .optional()
      .describe("too soon after the last: hold (default) or refuse"),
  }),
  annotations: adds,
  onError,
  run: (input, call) => send(input, call),
});

/** As the agents' document has it. */
export const sendMessageOfAgents = defineTool({
  name: "send_message",
  description: "Send a direct message to a specific agent.",
  input: z.strictObject({
    to: z.string().min(1).max(200).describe("target agent name"),
    content: z.string().min(1).describe("message body"),
    reply_to: replyTo,
  }),
  annotations: adds,
  onError,
  run: (input, call) => send(input, call),
});

type Send = {
  to: string;
  content: string;
  reply_to?: string | undefined;
  attention?: (typeof attentions)[number] | undefined;
  if_limited?: "hold" | "reject" | undefined;
};

async function send(input: Send, { ports, me, id }: ToolCall) {
  const receipt = await ports.execute("sendMessage", {
    from: me,
    to: input.to,
    content: input.content,
    replyTo: input.reply_to,
    attention: input.attention,
    ifLimited: input.if_limited,
    id,
  });
  return {
    message_id: receipt.messageId,
    delivered: true,
    state: receipt.state,
    ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
    ...(receipt.delayedMs === 0 ? {} : { delayed_ms: receipt.delayedMs }),
  };
}
