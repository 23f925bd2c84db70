import type { AgentId } from "../../model/agent.js";
import type { TightViews } from "../../views/tight.js";
import { standsStill } from "./stands-still.js";

const PAGE = 50;

/**
 * Whether an agent has mail that may start a turn. A request alone does not: it goes to everybody, and one of them is
 * woken for it; its nudge wakes all. One that stands still begins none.
 */
export function hasWakingMail(views: TightViews, agent: AgentId, offeredBefore: number): boolean {
  if (standsStill(views, agent)) return false;
  let after = 0;
  for (;;) {
    const page = views.inbox.waiting(agent, offeredBefore, after, PAGE);
    if (page.some(({ seq }) => views.messages.bySeq(seq)?.data.message.type !== "request")) return true;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return false;
    after = last.seq;
  }
}
