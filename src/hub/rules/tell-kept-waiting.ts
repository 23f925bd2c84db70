import { type Agent, type AgentId, HUB_ID } from "../../model/agent.js";
import { paneWait } from "../../model/delivery.js";
import type { EventData, NewEvent } from "../../model/events.js";
import type { PaneState } from "../../model/hosting.js";
import type { HubContext } from "../context.js";
import { addressOf, teamOf } from "./address-of.js";
import { notify } from "./notify.js";

type Kept = EventData["MessagesKeptWaiting"];

/**
 * Tells each sender that its mail waits for a pane. One notice for as long as the pane is in the way: whoever was told of
 * earlier mail that still waits there is not told of the next, whose receipts say the same.
 */
export function tellKeptWaiting(context: HubContext, agent: Agent, kept: Kept): NewEvent[] {
  const { views } = context;
  const told = new Set(
    views.inbox
      .open(agent.id)
      .filter(({ steps }) => paneWait(steps) !== undefined)
      .map(({ sender }) => sender),
  );
  const news = kept.deliveries.filter(({ seq, from }) => !told.has(from) && isNews(context, from, seq));
  const senders = [...new Set(news.map(({ from }) => from))];
  return senders.map((sender) => {
    const deliveries = news.filter(({ from }) => from === sender);
    return tell(context, agent, { ...kept, sender, deliveries });
  });
}

/** As of a bounce: what was asked of everybody is no news, and what the hub says comes back to nobody. */
function isNews({ views }: HubContext, from: AgentId, seq: number): boolean {
  const sender = views.roster.byId(from);
  if (sender === undefined || sender.goneAt !== null || sender.id === HUB_ID || sender.hub !== null)
    return false;
  const type = views.messages.bySeq(seq)?.data.message.type;
  return type !== "request" && type !== "nudge";
}

/** As many are named by their ids. */
const NAMED = 5;

function tell(
  context: HubContext,
  agent: Agent,
  { sender, reason, screen, deliveries }: Kept & { sender: AgentId },
) {
  const to = addressOf(context.views, agent, teamOf(context.views, sender));
  const ids = deliveries.map(({ id }) => id);
  const seconds = Math.round(Math.max(...deliveries.map(({ waitedMs }) => waitedMs)) / 1000);
  const shown =
    ids.length > NAMED ? `${ids.slice(0, NAMED).join(", ")} and ${ids.length - NAMED} more` : ids.join(", ");
  const [message, waits, it] = ids.length === 1 ? ["message", "waits", "it"] : ["messages", "wait", "them"];
  const why =
    reason === "pane_not_ready"
      ? `its pane was not ready for ${seconds} s${screen === undefined ? "" : ` (${screens[screen]})`}`
      : `its pane did not take ${it} within ${seconds} s`;
  return notify(context, {
    to: [sender],
    type: "system",
    content: `Your ${message} ${shown} to ${to} ${waits}: ${why}. The pane gets ${it} when it is ready; until then the receipt says held.`,
    attention: "fyi",
    notice: "held",
    metadata: { held: ids, to, reason, waited_seconds: seconds },
  });
}

/** Nothing of what stands on the screen: that may be about anybody's mail. */
const screens: Readonly<Record<PaneState, string>> = {
  draft: "a draft is in its input box",
  dialog: "a dialog is open",
  busy: "the agent is at work",
  starting: "nothing is on its screen yet",
  "copy-mode": "it stays in copy mode",
  ready: "it does not react",
};
