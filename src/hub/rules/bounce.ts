import { type AgentId, HUB_ID } from "../../model/agent.js";
import type { DeliveryRef } from "../../model/delivery.js";
import type { NewEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { addressNow } from "./address-of.js";
import { endTask } from "./end-task.js";
import { notify } from "./notify.js";

type Failure = { agent: AgentId; delivery: DeliveryRef };

/**
 * Tells each sender that its message ended unread, and why. It informs, so it starts no turn; and it never bounces. A
 * message that assigned a task comes back as the failure of that.
 */
export function bounce(
  context: HubContext,
  failures: readonly Failure[],
  reason: string,
  what: "not read" | "not finished" = "not read",
): NewEvent[] {
  return failures.flatMap(({ agent, delivery }) => {
    const task = context.views.tasks.byMessage(delivery.seq);
    if (task !== undefined) return endTask(context, task, { state: "failed", error: reason });
    const sender = context.views.roster.byId(delivery.from);
    if (sender === undefined || sender.goneAt !== null || sender.id === HUB_ID) return [];
    // Its own hub tells it, by the receipt.
    if (sender.hub !== null) return [];
    const type = context.views.messages.bySeq(delivery.seq)?.data.message.type;
    // Asked of everybody: that one of them did not read it is no news.
    if (type === "request" || type === "nudge") return [];
    const to = addressNow(context.views, agent, agent, sender.id);
    return notify(context, {
      to: [sender.id],
      type: "system",
      content: `Your message ${delivery.id} to ${to} was ${what}: ${reason}.`,
      attention: "fyi",
      notice: "bounce",
      metadata: { bounce: delivery.id, to, reason },
    });
  });
}
