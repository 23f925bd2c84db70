import * as contract from "../../../contract/mcp/send-message.js";
import type { attentions } from "../../../model/attention.js";
import type { SendableType } from "../../../model/message.js";
import { readTyped, type TypedFields } from "../../../model/read-typed.js";
import { reaching } from "../../reaching.js";
import { replyTarget } from "../../reply-target.js";
import { defineTool, type ToolCall } from "../tool.js";

const onError = { delivered: false };

export const sendMessage = defineTool(contract.sendMessage, {
  onError,
  run: (input, call) => send(input, call),
});

/** As the agents' document has it. */
export const sendMessageOfAgents = defineTool(contract.sendMessageOfAgents, {
  onError,
  run: (input, call) => send(input, call),
});

type Send = TypedFields & {
  to: string;
  content?: string | undefined;
  type?: SendableType | undefined;
  reply_to?: string | undefined;
  attention?: (typeof attentions)[number] | undefined;
  if_limited?: "hold" | "reject" | undefined;
};

async function send(input: Send, { ports, me, id }: ToolCall) {
  const sent = {
    from: me,
    content: input.content,
    type: input.type,
    typed: readTyped(input),
    replyTo: await replyTarget(ports, { by: me, named: input.reply_to, id }),
    attention: input.attention,
    ifLimited: input.if_limited,
    id,
  };
  const receipt = await reaching(ports, input.to, (to) => ports.execute("sendMessage", { ...sent, to }));
  return {
    message_id: receipt.messageId,
    delivered: true,
    state: receipt.state,
    ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
    ...(receipt.delayedMs === 0 ? {} : { delayed_ms: receipt.delayedMs }),
    ...(receipt.claimed === undefined ? {} : { claimed: receipt.claimed }),
    ...(receipt.released === undefined ? {} : { released: receipt.released }),
    ...(receipt.owner === undefined ? {} : { owner: receipt.owner }),
  };
}
