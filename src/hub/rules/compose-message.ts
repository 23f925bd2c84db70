import { type Agent, HUMAN_ID } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type {
  Addressee,
  Message,
  MessageId,
  MessageSource,
  MessageType,
  Metadata,
} from "../../model/message.js";
import type { Typed } from "../../model/typed-message.js";
import type { HubContext } from "../context.js";
import type { Caused } from "./conversation-of.js";
import { ownWords } from "./own-words.js";
import { overheardMessage, repliedMessage } from "./replied-message.js";

/** What a sender says, or the hub in its name. */
export type Written = {
  content: string;
  id?: MessageId | undefined;
  replyTo?: MessageId | undefined;
  attention?: Attention | undefined;
  context?: string | undefined;
  source?: MessageSource | undefined;
  metadata?: Metadata | undefined;
  expiresInMs?: number | undefined;
  requestId?: string | undefined;
  applet?: string | undefined;
  callbackUrl?: string | undefined;
  typed?: Typed | undefined;
};

type Draft = {
  id: MessageId;
  type: MessageType;
  to: readonly Addressee[];
  toName: string;
  attention: Attention;
  caused: Caused;
  forwardedFrom?: Message["forwardedFrom"];
};

/** Status and the like inform; they never start a turn, whatever was asked for. */
export function attentionOf(
  sender: Agent,
  asked: Attention | undefined,
  type: MessageType,
  usual: Attention = "queue",
): Attention {
  if (type === "status") return "fyi";
  return asked ?? sender.attention ?? usual;
}

export function composeMessage(
  sender: Agent,
  input: Written,
  draft: Draft,
  views: HubContext["views"],
): Message {
  const byHuman = sender.id === HUMAN_ID;
  const parent = input.replyTo === undefined ? undefined : threadOf(sender, input.replyTo, draft, views);
  const message: Message = {
    id: draft.id,
    type: draft.type,
    from: sender.id,
    fromName: sender.name,
    to: draft.to,
    toName: draft.toName,
    content: ownWords(sender, input.content),
    attention: draft.attention,
    source: byHuman ? (input.source ?? "user") : "agent",
    trust: byHuman ? "human" : sender.hub === null ? "local" : "peer",
    metadata: byHuman
      ? withoutSender(input.metadata)
      : { ...input.metadata, type: "inter-agent", sender: sender.name },
    conversation: draft.caused.conversation,
    hop: draft.caused.hop,
  };
  // One by one: at every send, spreading as many objects costs more than the message.
  if (input.context !== undefined) message.context = input.context;
  if (input.replyTo !== undefined) message.replyTo = input.replyTo;
  if (parent !== undefined) message.thread = parent.thread ?? parent.id;
  if (input.requestId !== undefined) message.requestId = input.requestId;
  if (byHuman && input.applet !== undefined) message.applet = input.applet;
  if (input.callbackUrl !== undefined) message.callbackUrl = input.callbackUrl;
  if (input.typed !== undefined) message.typed = input.typed;
  if (sender.hub !== null && sender.label !== null) message.fromLabel = sender.label;
  if (draft.forwardedFrom !== undefined) message.forwardedFrom = draft.forwardedFrom;
  if (input.expiresInMs !== undefined) message.expiresInMs = input.expiresInMs;
  if (draft.caused.causes.length > 0) message.causes = draft.caused.causes;
  return message;
}

/** Readers tell by these two keys that an agent wrote a message, and which: the person's has neither. */
function withoutSender({ type: _type, sender: _sender, ...metadata }: Metadata = {}): Metadata {
  return metadata;
}

/**
 * The message whose thread a reply goes on in: one that its sender received or sent, or a request, which is everybody's; for the
 * person also one of whoever the reply goes to.
 */
function threadOf(
  sender: Agent,
  replyTo: MessageId,
  { to }: Draft,
  views: HubContext["views"],
): Message | undefined {
  const target = to[0]?.agent ?? "";
  const stored =
    repliedMessage(views, { replier: sender.id, replyTo, target }) ??
    views.messages.bySender(sender.id, replyTo) ??
    views.messages.bySender(views.requests.byId(replyTo)?.from ?? target, replyTo) ??
    overheardMessage(views, { replier: sender.id, replyTo, target });
  return stored?.data.message;
}

/** The event by which a message comes to be, with its expiry. */
export function accept(message: Message, context: HubContext): NewEvent {
  const [only] = message.to;
  return newEvent("MessageAccepted", message.to.length === 1 && only ? only.agent : null, {
    message,
    ...(message.expiresInMs === undefined ? {} : { expiresAt: context.now + message.expiresInMs }),
  });
}
