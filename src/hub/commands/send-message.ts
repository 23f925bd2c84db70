import type { Agent, AgentId } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import type { Decision } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import type { NewEvent } from "../../model/events.js";
import type { HoldReason, Message, MessageId, SendableType } from "../../model/message.js";
import { outcomeFields, type ShownFields, type Typed, typedLine } from "../../model/typed-message.js";
import type { StoredMessage } from "../../views/messages.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext, HubDecider } from "../context.js";
import { absence } from "../rules/absence.js";
import { actOnTyped } from "../rules/act-on-typed.js";
import { address } from "../rules/address.js";
import { forReader } from "../rules/address-of.js";
import { answerByReply } from "../rules/answer-by-reply.js";
import { checkBudget } from "../rules/budget.js";
import { callBack, checkCallback } from "../rules/callback.js";
import { accept, attentionOf, composeMessage, type Written } from "../rules/compose-message.js";
import { conversationOf } from "../rules/conversation-of.js";
import type { IfLimited } from "../rules/cooldown.js";
import { findRecipient, presentRecipient } from "../rules/find-recipient.js";
import { forwarded } from "../rules/forward.js";
import type { Met } from "../rules/meet-peer-agent.js";
import { presentSender } from "../rules/present-agent.js";
import { proveByReply } from "../rules/prove-by-reply.js";
import { releaseUnattended } from "../rules/release-held.js";
import { sameMessage } from "../rules/same-message.js";
import { answerTaskByReply } from "../rules/task-reply.js";

/** What is sent by hand: what makes a request, a notice or an answer of a message is the hub's to decide. */
export type SendMessage = Omit<Written, "requestId" | "content"> & {
  /** May be left out where its fields say it all. */
  content?: string | undefined;
  type?: SendableType | undefined;
  from: AgentId;
  /** An address, or an agent that is known, or only just met. */
  to: string | { id: AgentId; met?: Met };
  ifLimited?: IfLimited | undefined;
  /** What it asks for where neither it nor its sender says, in place of `queue`. */
  usualAttention?: Attention | undefined;
};

export type Receipt = {
  target: string;
  /** Whose name that is. */
  to: AgentId;
  messageId: MessageId;
  seq: number;
  /** `held`: it is in the inbox, and will not be read for now. */
  state: "accepted" | "held";
  reason?: string;
  delayedMs: number;
} & Pick<ShownFields, "claimed" | "released" | "owner">;

/**
 * Takes a message into the recipient's inbox. The same id with the same body is the same message: its receipt is
 * given again and nothing is stored.
 */
export const sendMessage: HubDecider<SendMessage, Receipt> = (input, context) => {
  const { views } = context;
  const sender = presentSender(input.from, views);
  const earlier = input.id === undefined ? undefined : views.messages.bySender(sender.id, input.id);
  if (earlier !== undefined) return repeat(earlier, input, context);

  const { agent: addressed, met } =
    typeof input.to === "string"
      ? findRecipient(context, input.to, sender.id)
      : (input.to.met ?? presentRecipient(views, input.to.id, sender.id));
  const target = input.type === "handoff" ? addressed : forwarded(context, sender.id, addressed);
  if (target.id === sender.id) {
    throw new HubError("SELF_SEND", `"${target.name}" cannot send a message to itself`, {
      target: target.name,
    });
  }
  if (input.callbackUrl !== undefined) checkCallback(input.callbackUrl, context.views);
  const id = input.id ?? context.newId();
  const answered =
    input.replyTo === undefined
      ? undefined
      : answerByReply(context, { sender, target, replyTo: input.replyTo, by: id });
  const type = input.type ?? (answered?.answers === true ? "response" : "message");
  const attention = attentionOf(sender, input.attention, type, input.usualAttention);
  const caused = conversationOf(sender, { id, replyTo: input.replyTo, target: target.id }, context);
  const budget = checkBudget(sender, [target], { attention, caused }, context);
  const terms = {
    ifLimited: input.ifLimited,
    expiresInMs: input.expiresInMs,
    hold: budget.hold,
  };
  const to = [address(sender, target, terms, context)];
  const acted = input.typed && actOnTyped(input.typed, sender, target, context);
  const message = composeMessage(
    sender,
    written(input, answered?.requestId, acted?.typed),
    {
      id,
      type,
      to,
      toName: target.name,
      attention,
      caused,
      ...(target === addressed ? {} : { forwardedFrom: { agent: addressed.id, name: addressed.name } }),
    },
    views,
  );
  const events = [
    ...met,
    accept(message, context),
    ...callBack(message, context), // Directly behind the message, which is found by that.
    ...(answered?.events ?? [...proofs(message, target, views), ...answerTaskByReply(message, context)]),
    ...(acted?.events ?? []),
    ...budget.events,
    ...releaseUnattended(sender, context),
  ];
  return {
    events,
    answer: (appended) => receipt(message, appended[met.length]?.seq ?? 0, to[0]?.hold?.reason, context),
  };
};

/** Most messages are what was sent, as it is. */
function written(input: SendMessage, requestId: string | undefined, typed: Typed | undefined): Written {
  const { content = typed && typedLine(typed) } = input;
  if (content === undefined) throw new HubError("INVALID_INPUT", "message: is missing");
  return requestId === undefined && typed === undefined && hasContent(input)
    ? input
    : { ...input, content, requestId, typed };
}

function hasContent(input: SendMessage): input is SendMessage & { content: string } {
  return input.content !== undefined;
}

function proofs({ id, from, replyTo }: Message, target: Agent, views: TightViews): NewEvent[] {
  if (replyTo === undefined) return [];
  return proveByReply(views, { replier: from, replyTo, target: target.id, by: id });
}

function repeat(earlier: StoredMessage, input: SendMessage, context: HubContext): Decision<Receipt> {
  const { message } = earlier.data;
  if (!sameMessage(message, input, context.views)) {
    throw new HubError(
      "ID_REUSED",
      `Message id "${message.id}" was used before for another message; use a new id, or send the same body`,
      { message_id: message.id, seq: earlier.seq },
    );
  }
  const [to] = message.to;
  const held = to && context.views.inbox.get(earlier.seq, to.agent)?.hold;
  return { events: [], answer: () => receipt(message, earlier.seq, held, context) };
}

function receipt(
  message: Message,
  seq: number,
  held: HoldReason | null | undefined,
  { views, now }: HubContext,
): Receipt {
  const [to] = message.to;
  const delayedMs = held === "cooldown" ? Math.max(0, (to?.hold?.until ?? now) - now) : 0;
  const taken = {
    target: forReader(views, message, message.from).toName,
    to: to?.agent ?? "",
    messageId: message.id,
    seq,
    delayedMs,
    ...outcomeFields(message.typed),
  };
  const reason = held ?? behind(message, seq, views) ?? (to && absence(views, to.agent));
  return reason === undefined ? { state: "accepted", ...taken } : { state: "held", reason, ...taken };
}

/** Why it waits for an earlier one. Behind a cooldown it comes in a moment: the time of that one is up. */
function behind({ to: [to], from }: Message, seq: number, { inbox }: TightViews): HoldReason | undefined {
  const before = to && inbox.holdBefore({ seq, recipient: to.agent, sender: from });
  return before === "cooldown" ? undefined : before;
}
