import { isDeepStrictEqual } from "node:util";
import type { AgentId } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import type { Message, MessageId, MessageSource, MessageType, Metadata } from "../../model/message.js";
import type { TightViews } from "../../views/tight.js";

export type SendMessage = {
  from: AgentId;
  to: string;
  content: string;
  id?: MessageId | undefined;
  type?: MessageType | undefined;
  replyTo?: MessageId | undefined;
  attention?: Attention | undefined;
  context?: string | undefined;
  source?: MessageSource | undefined;
  metadata?: Metadata | undefined;
  expiresInMs?: number | undefined;
  ifLimited?: "hold" | "reject" | undefined;
  requestId?: string | undefined;
  applet?: string | undefined;
  callbackUrl?: string | undefined;
};

/** Whether a repeated id came with the body it had before. The recipient may have been renamed in between. */
export function sameMessage(message: Message, input: SendMessage, views: TightViews): boolean {
  const recipient = views.roster.byName(input.to)?.id ?? views.roster.heldName(input.to)?.agent;
  const { type: _type, sender: _sender, ...metadata } = message.metadata ?? {};
  const { type: _inputType, sender: _inputSender, ...inputMetadata } = input.metadata ?? {};
  return (
    (recipient === message.to[0]?.agent || input.to === message.toName) &&
    message.content === input.content &&
    message.type === (input.type ?? typeUnlessSaid(message)) &&
    message.context === input.context &&
    message.replyTo === input.replyTo &&
    message.callbackUrl === input.callbackUrl &&
    (input.attention === undefined || message.attention === input.attention) &&
    message.expiresInMs === input.expiresInMs &&
    isDeepStrictEqual(metadata, inputMetadata)
  );
}

/** What answers a request is a response; everything else that does not say is a message. */
function typeUnlessSaid({ type, requestId }: Message): MessageType {
  return type === "response" && requestId !== undefined ? "response" : "message";
}
