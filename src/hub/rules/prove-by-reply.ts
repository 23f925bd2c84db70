import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import type { TightViews } from "../../views/tight.js";
import { overheardMessage, type Reply, repliedMessage } from "./replied-message.js";

/** A reply names the message that it answers: the strongest proof that it arrived. */
export function proveByReply(views: TightViews, { by, ...reply }: Reply & { by: MessageId }): NewEvent[] {
  const { replier, replyTo } = reply;
  const received = repliedMessage(views, reply);
  if (received === undefined) {
    // Going on in a thread of one's own is fine; it proves nothing about anybody.
    if (views.messages.bySender(replier, replyTo) !== undefined) return [];
    if (overheardMessage(views, reply) !== undefined) return [];
    throw new HubError(
      "REPLY_TARGET_NOT_FOUND",
      `reply_to names no message that you sent or received: "${replyTo}"`,
      {
        reply_to: replyTo,
      },
    );
  }
  return proveRead(views, { replier, seq: received.seq, replyTo, by });
}

type Read = { replier: AgentId; seq: number; replyTo: MessageId; by: MessageId };

/** What its reply says of a message that an agent received. */
export function proveRead(views: TightViews, { replier, seq, replyTo, by }: Read): NewEvent[] {
  const delivery = views.inbox.get(seq, replier);
  if (delivery === undefined) return [];
  const ref = { seq, id: replyTo, from: delivery.sender };
  const events: NewEvent[] = [];
  if (delivery.state === "accepted" || delivery.state === "offered" || delivery.state === "injected") {
    events.push(newEvent("MessagesSeen", replier, { agent: replier, evidence: "reply", deliveries: [ref] }));
  }
  if (delivery.answeredBy === null) {
    events.push(newEvent("MessageAnswered", replier, { agent: replier, delivery: ref, by }));
  }
  return events;
}
