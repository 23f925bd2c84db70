import { type AgentId, HUB_ID } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { ConversationId } from "../model/message.js";

/*
 * In which conversations something was written lately, by whom, and what came last. Kept in memory, by whoever follows the
 * journal anyway.
 */

/** `last`: the newest message of it, by seq. `participants`: in the order in which they came. */
export type ActiveConversation = {
  id: ConversationId;
  participants: readonly AgentId[];
  last: number;
  at: number;
};

type Activity = { participants: Set<AgentId>; last: number; at: number };

/** The longest silent are forgotten first. */
const MOST = 1000;
/** More than these are no conversation to show. */
const MOST_PARTICIPANTS = 50;

export function createConversationActivity() {
  const known = new Map<ConversationId, Activity>();

  return {
    count({ seq, at, data: { message } }: EventOf<"MessageAccepted">) {
      // What is for information only causes nothing, and is in no conversation.
      if (message.from === HUB_ID || message.attention === "fyi") return;
      const activity = known.get(message.conversation) ?? { participants: new Set(), last: seq, at };
      // At the end of the map stands what was written in last.
      known.delete(message.conversation);
      known.set(message.conversation, activity);
      activity.last = seq;
      activity.at = at;
      for (const agent of [message.from, ...message.to.map((to) => to.agent)])
        if (activity.participants.size < MOST_PARTICIPANTS) activity.participants.add(agent);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
    clear: () => known.clear(),
    /** The one that was written in last first. */
    since(wall: number): ActiveConversation[] {
      const active: ActiveConversation[] = [];
      for (const [id, { participants, last, at }] of [...known].reverse()) {
        if (at < wall) break;
        active.push({ id, participants: [...participants], last, at });
      }
      return active;
    },
  };
}
