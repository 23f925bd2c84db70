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
  const delivery = views.inbox.get(received.seq, replier);
  if (delivery === undefined) return [];
  const ref = { seq: received.seq, id: replyTo, from: delivery.sender };
  const events: NewEvent[] = [];
  if (delivery.state === "accepted" || delivery.state === "offered" || delivery.state === "injected") {
    events.push(newEvent("MessagesSeen", replier, { agent: replier, evidence: "reply", deliveries: [ref] }));
  }
  if (delivery.answeredBy === null) {
    events.push(newEvent("MessageAnswered", replier, { agent: replier, delivery: ref, by }));
  }
  return events;
}
