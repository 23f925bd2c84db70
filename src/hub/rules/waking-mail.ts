import type { AgentId } from "../../model/agent.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { TightViews } from "../../views/tight.js";
import { standsStill } from "./stands-still.js";

const PAGE = 50;

/** Whether an agent has mail that may start a turn. One that stands still begins none. */
export function hasWakingMail(views: TightViews, agent: AgentId, offeredBefore: number): boolean {
  if (standsStill(views, agent)) return false;
  let after = 0;
  for (;;) {
    const page = views.inbox.waiting(agent, offeredBefore, after, PAGE);
    if (page.some((delivery) => wakes(views, delivery))) return true;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return false;
    after = last.seq;
  }
}

/**
 * A request alone does not: it goes to everybody, and one of them is woken for it; its nudge wakes all. Whoever had it in a turn
 * that gave it back is asked again, unless it is somebody else's by now.
 */
function wakes(views: TightViews, { seq, recipient, state, steps }: Delivery): boolean {
  const message = views.messages.bySeq(seq)?.data.message;
  if (message?.type !== "request") return true;
  const wasReturned = state === "accepted" && steps.at(-1)?.turn !== undefined;
  if (!wasReturned) return false;
  const request = views.requests.byId(message.id)?.state;
  return request?.kind === "open" || (request?.kind === "claimed" && request.by === recipient);
}
