import { type AgentId, HUB_ID } from "../../model/agent.js";
import type { NewEvent } from "../../model/events.js";
import type { ContextUse } from "../../model/turn.js";
import type { HubContext } from "../context.js";
import { notify } from "./notify.js";

/**
 * Tells an agent, once in a session, that its context is nearly full: it can hand its work over while it still knows what it is about. It reads that with its
 * next mail; nothing is started for it.
 */
export function offerHandoff(context: HubContext, id: AgentId, use: ContextUse | undefined): NewEvent[] {
  const { views, limits } = context;
  if (use === undefined || limits.handoffAt === 0 || use.used < use.size * limits.handoffAt) return [];
  const agent = views.roster.byId(id);
  if (agent === undefined || agent.goneAt !== null) return [];
  const notice = `context-full.${agent.id}.${(agent.session ?? "").replace(/[^A-Za-z0-9._:-]/g, "-")}`.slice(
    0,
    128,
  );
  if (views.messages.bySender(HUB_ID, notice) !== undefined) return [];
  const share = Math.min(100, Math.round((100 * use.used) / use.size));
  return [
    notify(context, {
      id: notice,
      to: [agent.id],
      type: "system",
      content:
        `Your context is ${share}% full (${use.used} of ${use.size} tokens). If your work is not nearly done, hand it over while you still know it: ` +
        "hand_off with to, task and summary; forward: true also sends your mail there. list_agents says who is idle.",
      attention: "fyi",
      metadata: { context_used: use.used, context_size: use.size },
    }),
  ];
}
