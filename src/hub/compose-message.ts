import { type Agent, HUMAN_ID } from "../model/agent.js";
import type { Attention } from "../model/attention.js";
import type { Addressee, Message, MessageId, MessageType } from "../model/message.js";
import type { HubContext } from "./context.js";
import type { Caused } from "./conversation-of.js";
import type { SendMessage } from "./same-message.js";

export type Draft = {
  id: MessageId;
  type: MessageType;
  to: readonly Addressee[];
  toName: string;
  attention: Attention;
  caused: Caused;
};

/** Status and the like inform; they never start a turn, whatever was asked for. */
export function attentionOf(sender: Agent, asked: Attention | undefined, type: MessageType): Attention {
  if (type === "status") return "fyi";
  return asked ?? sender.attention ?? "queue";
}

export function composeMessage(
  sender: Agent,
  input: Omit<SendMessage, "to">,
  draft: Draft,
  views: HubContext["views"],
): Message {
  const byHuman = sender.id === HUMAN_ID;
  const parent =
    input.replyTo === undefined ? undefined : views.messages.byId(input.replyTo)[0]?.data.message;
  return {
    id: draft.id,
    type: draft.type,
    from: sender.id,
    fromName: sender.name,
    to: draft.to,
    toName: draft.toName,
    content: input.content,
    ...(input.context === undefined ? {} : { context: input.context }),
    ...(input.replyTo === undefined ? {} : { replyTo: input.replyTo }),
    ...(parent === undefined ? {} : { thread: parent.thread ?? parent.id }),
    ...(input.requestId === undefined ? {} : { requestId: input.requestId }),
    ...(input.applet === undefined ? {} : { applet: input.applet }),
    ...(input.callbackUrl === undefined ? {} : { callbackUrl: input.callbackUrl }),
    attention: draft.attention,
    source: byHuman ? (input.source ?? "user") : "agent",
    trust: byHuman ? "human" : "local",
    metadata: { ...input.metadata, ...(byHuman ? {} : { type: "inter-agent", sender: sender.name }) },
    ...(input.expiresInMs === undefined ? {} : { expiresInMs: input.expiresInMs }),
    ...(draft.caused.causes.length === 0 ? {} : { causes: draft.caused.causes }),
    conversation: draft.caused.conversation,
    hop: draft.caused.hop,
  };
}
