import type { z } from "zod";
import type { conversationFacts } from "../../contract/http/conversations.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { Message } from "../../model/message.js";
import type { Conversation } from "../../views/conversations.js";
import type { StoredMessage } from "../../views/messages.js";
import type { HubPorts } from "../ports.js";

type Ports = Pick<HubPorts, "views" | "limits">;

/** A long one is read where it stands. */
const WORDS_MOST = 1000;
/** So many messages are followed back to who takes part. */
const BACK_MOST = 100;

/** What waits in it, oldest first, and what came last, where those are known; `agents`: who took part lately. */
type Known = {
  held: readonly StoredMessage[];
  newest?: StoredMessage | undefined;
  agents?: readonly AgentId[];
};

type Facts = z.input<typeof conversationFacts>;

/** Who answers whom, how far they came, how it began, and what waits. */
export function describeConversation(
  { id, messages, hop, base }: Conversation,
  { held, newest, agents = [] }: Known,
  { views, limits }: Ports,
): Facts {
  const [first] = views.messages.byId(id);
  const last = held.at(-1) ?? newest;
  return {
    participants: participantsOf(held.length > 0 ? held : newest === undefined ? [] : [newest], agents, {
      views,
    }),
    hops: hop - base,
    hops_most: limits.conversation.hops,
    messages,
    messages_most: limits.conversation.messages,
    held: held.length,
    first: first === undefined ? null : wordsOf(first, { views }),
    last: last === undefined ? null : wordsOf(last, { views }),
  };
}

/** The messages of these deliveries, each once. */
export function messagesOf(
  deliveries: readonly { seq: number }[],
  { views }: Pick<Ports, "views">,
): StoredMessage[] {
  const seqs = new Set(deliveries.map(({ seq }) => seq));
  return [...seqs].flatMap((seq) => views.messages.bySeq(seq) ?? []);
}

/** A message with its first words, and who wrote it to whom by the names that they have now. */
export function wordsOf({ at, data: { message } }: StoredMessage, { views }: Pick<Ports, "views">) {
  const { id, content } = message;
  const [only] = message.to;
  const isCut = content.length > WORDS_MOST;
  return {
    id,
    from: addressNow(views, message.from, message.fromName, HUMAN_ID),
    to:
      message.to.length === 1 && only !== undefined
        ? addressNow(views, only.agent, only.name, HUMAN_ID)
        : message.toName,
    at: new Date(at).toISOString(),
    text: isCut ? content.slice(0, WORDS_MOST) : content,
    ...(isCut ? { cut: true as const } : {}),
  };
}

/**
 * Those who are known to take part; without any, whoever wrote what led to these messages, and whom they are for, in the order
 * in which they spoke last.
 */
function participantsOf(
  from: readonly StoredMessage[],
  agents: readonly AgentId[],
  { views }: Pick<Ports, "views">,
): string[] {
  if (agents.length > 0) return agents.map((agent) => addressNow(views, agent, agent, HUMAN_ID));
  const known = new Map<string, string>();
  const seen = new Set<string>();
  const next: Message[] = from.map(({ data }) => data.message);
  for (let i = 0; i < next.length && i < BACK_MOST; i++) {
    const message = next[i];
    if (message === undefined) break;
    const ends = [
      { agent: message.from, name: message.fromName },
      ...(message.to.length === 1 ? message.to : []),
    ];
    for (const { agent, name } of ends) if (agent !== HUB_ID) known.set(agent, known.get(agent) ?? name);
    for (const cause of message.causes ?? []) {
      if (seen.has(cause)) continue;
      seen.add(cause);
      const [before] = views.messages.byId(cause);
      if (before !== undefined) next.push(before.data.message);
    }
  }
  return [...known].map(([agent, name]) => addressNow(views, agent, name, HUMAN_ID));
}
