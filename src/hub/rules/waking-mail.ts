import type { AgentId } from "../../model/agent.js";
import type { Delivery } from "../../views/inbox.js";
import type { TightViews } from "../../views/tight.js";

/**
 * Mail of an agent that may start a turn. A request alone does not: it goes to everybody, and one of them is woken for
 * it; its nudge wakes all.
 */
export function wakingMail(views: TightViews, agent: AgentId, offeredBefore: number): Delivery[] {
  return views.inbox
    .waiting(agent, offeredBefore)
    .filter(({ seq }) => views.messages.bySeq(seq)?.data.message.type !== "request");
}
