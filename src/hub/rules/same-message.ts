import { isDeepStrictEqual } from "node:util";
import type { AgentId } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import type { Message, MessageType } from "../../model/message.js";
import { sameTyped, typedLine } from "../../model/typed-message.js";
import type { TightViews } from "../../views/tight.js";
import type { Written } from "./compose-message.js";
import { recallRecipient } from "./find-recipient.js";
import { sameWords } from "./own-words.js";

type Sent = Omit<Written, "content"> & {
  content?: string | undefined;
  to: string | { id: AgentId };
  type?: MessageType | undefined;
};

/** Whether a repeated id came with the body it had before. The recipient may have been renamed in between. */
export function sameMessage(message: Message, input: Sent, views: TightViews): boolean {
  const recipient =
    typeof input.to === "string" ? recallRecipient(views, input.to, message.from)?.id : input.to.id;
  const { type: _type, sender: _sender, ...metadata } = message.metadata ?? {};
  const { type: _inputType, sender: _inputSender, ...inputMetadata } = input.metadata ?? {};
  return (
    (recipient === message.to[0]?.agent || isFormer(message, recipient, input.to)) &&
    sameText(message, input.content) &&
    sameTyped(message.typed, input.typed) &&
    message.type === (input.type ?? typeUnlessSaid(message)) &&
    message.context === input.context &&
    message.replyTo === input.replyTo &&
    message.callbackUrl === input.callbackUrl &&
    (input.attention === undefined || message.attention === storedAttention(input.attention, message)) &&
    message.expiresInMs === input.expiresInMs &&
    isDeepStrictEqual(metadata, inputMetadata)
  );
}

/** By the name of then, or to one whose mail went to another. */
function isFormer(
  { toName, forwardedFrom }: Message,
  recipient: AgentId | undefined,
  to: Sent["to"],
): boolean {
  if (to === toName) return true;
  return forwardedFrom !== undefined && (forwardedFrom.agent === recipient || forwardedFrom.name === to);
}

/** Without words of its own it has those of its fields. */
function sameText(message: Message, said: string | undefined): boolean {
  if (said !== undefined) return sameWords(message, said);
  return message.typed !== undefined && message.content === typedLine(message.typed);
}

/** A status is `fyi`, whatever was asked for. */
function storedAttention(asked: Attention, { type }: Message): Attention {
  return type === "status" ? "fyi" : asked;
}

/** What answers a request is a response; everything else that does not say is a message. */
function typeUnlessSaid({ type, requestId }: Message): MessageType {
  return type === "response" && requestId !== undefined ? "response" : "message";
}
