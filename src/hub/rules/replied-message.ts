import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import type { MessageId } from "../../model/message.js";
import type { StoredMessage } from "../../views/messages.js";
import type { TightViews } from "../../views/tight.js";

export type Reply = { replier: AgentId; replyTo: MessageId; target: AgentId };

/**
 * The message that a reply answers, among those that its sender received. An id belongs to its sender, so that several
 * may have it: whoever the reply goes to comes first.
 */
export function repliedMessage(
  views: TightViews,
  { replier, replyTo, target }: Reply,
): StoredMessage | undefined {
  const received = views.messages
    .byId(replyTo)
    .filter(({ data }) => data.message.to.some(({ agent }) => agent === replier));
  return received.find(({ data }) => data.message.from === target) ?? received[0];
}

/** The person reads everybody's mail, and may go on in any thread, with one of those whose message it is. It proves nothing. */
export function overheardMessage(
  views: TightViews,
  { replier, replyTo, target }: Reply,
): StoredMessage | undefined {
  if (replier !== HUMAN_ID) return undefined;
  return views.messages
    .byId(replyTo)
    .find(
      ({ data: { message } }) => message.from === target || message.to.some(({ agent }) => agent === target),
    );
}
