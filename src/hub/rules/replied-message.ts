import type { AgentId } from "../../model/agent.js";
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
