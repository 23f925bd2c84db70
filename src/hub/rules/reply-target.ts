import type { AgentId } from "../../model/agent.js";
import type { MessageId } from "../../model/message.js";
import { isTag, tagOf } from "../../model/message-tag.js";
import type { TightViews } from "../../views/tight.js";

/** The message that a reply names. In a pane an agent sees a message's tag and not its id: of what it was handed lately, that one. */
export function replyTarget(views: TightViews, agent: AgentId, named: MessageId): MessageId {
  if (!isTag(named) || views.messages.byId(named).length > 0) return named;
  const handed = views.handed
    .since(agent, 0)
    .flatMap(({ seq }) => views.messages.bySeq(seq)?.data.message ?? []);
  return handed.find((message) => tagOf(message) === named)?.id ?? named;
}
