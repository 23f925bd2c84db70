import type { Delivery } from "../../views/delivery-row.js";
import type { HubContext } from "../context.js";

/* What keeps a held delivery from being read. Whoever lifts one of these looks at the others. */

export function isPairPaused({ sender, recipient }: Delivery, { views }: HubContext): boolean {
  return views.pausedPairs.has(sender, recipient);
}

export function isConversationPaused({ conversation }: Delivery, { views }: HubContext): boolean {
  return conversation !== null && views.conversations.get(conversation)?.state === "paused";
}

/** Its cooldown is not over. */
export function isCooling({ seq, recipient, hold }: Delivery, { views, now }: HubContext): boolean {
  if (hold !== "cooldown") return false;
  const to = views.messages.bySeq(seq)?.data.message.to.find(({ agent }) => agent === recipient);
  return (to?.hold?.until ?? 0) > now;
}
