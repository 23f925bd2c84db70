import { type Agent, type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { ConversationId, MessageId } from "../../model/message.js";
import { runtimeTraits } from "../../model/runtime-traits.js";
import type { HubContext } from "../context.js";
import { repliedMessage } from "./replied-message.js";

/** What a message continues. */
export type Caused = { conversation: ConversationId; hop: number; causes: MessageId[] };

type Continuing = { id: MessageId; replyTo?: MessageId | undefined; target?: AgentId | undefined };

/**
 * Which conversation a message belongs to. A person begins a new one with every message. An agent's message continues the
 * message it replies to, if that was sent to it, else the longest of what it was handed lately; it is one hop further
 * than the furthest of these. With no cause it begins a conversation of its own.
 */
export function conversationOf(
  sender: Agent,
  { id, replyTo, target = "" }: Continuing,
  { views, now, limits }: HubContext,
): Caused {
  const fresh = { conversation: id, hop: 0, causes: [] };
  if (sender.id === HUMAN_ID || sender.id === HUB_ID) return fresh;
  // Of an agent whose turns the hub knows, what its turn carries counts, however long ago that began.
  const byTurn = sender.runtime !== null && runtimeTraits[sender.runtime].seesTurns;
  const handed = views.handed.since(sender.id, byTurn ? 0 : now - limits.conversation.causeMs);
  const answered =
    replyTo === undefined ? undefined : repliedMessage(views, { replier: sender.id, replyTo, target });
  const repliedTo = answered?.data.message.attention === "fyi" ? undefined : answered?.data.message;
  const furthest = handed.reduce((most, cause) => (cause.hop > most.hop ? cause : most), {
    conversation: id,
    hop: -1,
  });
  if (repliedTo === undefined && handed.length === 0) return fresh;
  return {
    conversation: repliedTo?.conversation ?? furthest.conversation,
    hop: 1 + Math.max(repliedTo?.hop ?? -1, furthest.hop),
    causes: handed.flatMap(({ seq }) => views.messages.bySeq(seq)?.data.message.id ?? []),
  };
}
