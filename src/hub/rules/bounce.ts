import { type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { DeliveryRef } from "../../model/delivery.js";
import type { NewEvent } from "../../model/events.js";
import { obligationText } from "../../model/obligation.js";
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
    const message = context.views.messages.bySeq(delivery.seq)?.data.message;
    // Asked of everybody: that one of them did not read it is no news.
    if (message?.type === "request" || message?.type === "nudge") return [];
    const to = addressNow(context.views, agent, agent, sender.id);
    return notify(context, {
      to: [sender.id],
      type: "system",
      content: `${which(delivery, message?.content, sender.id)} to ${to} was ${what}: ${reason}.`,
      attention: "fyi",
      notice: "bounce",
      metadata: { bounce: delivery.id, to, reason },
    });
  });
}

const WORDS_MOST = 60;

/** By its words, as its sender knows it; a program finds it by its id. */
function which({ id }: DeliveryRef, content: string | undefined, sender: AgentId): string {
  if (content === undefined) return `Your message ${id}`;
  const words = `"${obligationText(content, WORDS_MOST)}"`;
  return sender === HUMAN_ID ? words : `Your message ${words} (${id})`;
}
