import type { Database } from "better-sqlite3";
import type { View } from "../journal/fold.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { ConversationId } from "../model/message.js";
import { createHandedMail, type Handed } from "./handed.js";
import { createLately } from "./lately.js";
import { createUnattended, startsTurns } from "./unattended.js";

export type Conversation = {
  id: ConversationId;
  messages: number;
  hop: number;
  base: number;
  state: "open" | "paused" | "frozen";
};

/** What caused what: so that agents that keep answering each other can be stopped, however many they are. */
export type Conversations = View & {
  get(id: ConversationId): Conversation | undefined;
  withState(state: Conversation["state"], limit: number): Conversation[];
  /** What the agent was handed since then, newest first; never more than a few. */
  handedSince(agent: AgentId, since: number): Handed[];
  /** Messages between agents since then, unless a person spoke in between. */
  unattendedSince(since: number): number;
};

export function createConversations(db: Database): Conversations {
  const get = db.prepare<[string], Conversation>(
    "SELECT id, messages, hop, base, state FROM conversation WHERE id = ?",
  );
  const byState = db.prepare<[string, number], Conversation>(
    "SELECT id, messages, hop, base, state FROM conversation WHERE state = ? ORDER BY changed DESC LIMIT ?",
  );
  const count = db.prepare(
    `INSERT INTO conversation (id, messages, hop, base, state, changed) VALUES (?, 1, ?, 0, 'open', ?)
       ON CONFLICT (id) DO UPDATE SET messages = messages + 1, hop = max(hop, excluded.hop)`,
  );
  const setState = db.prepare("UPDATE conversation SET state = ?, changed = ? WHERE id = ?");
  const resume = db.prepare(
    "UPDATE conversation SET state = 'open', messages = 0, base = ?, changed = ? WHERE id = ?",
  );
  const delivery = db.prepare<[string, number], { conversation: string | null; hop: number; sender: string }>(
    "SELECT conversation, hop, sender FROM delivery WHERE recipient = ? AND seq = ?",
  );

  const handed = createHandedMail(db);
  const unattended = createUnattended(db);
  // What is sent to a waiting reader is handed to it in the same breath.
  const accepted = createLately<
    number,
    { conversation: ConversationId | null; hop: number; sender: AgentId }
  >();

  return {
    tables: ["handed", "conversation"],
    forget() {
      handed.forget();
      accepted.clear();
      unattended.forget();
    },
    folds: {
      MessageAccepted({ seq, hubTime, data: { message } }) {
        const { attention, conversation, hop, from } = message;
        accepted.add(seq, { conversation: attention === "fyi" ? null : conversation, hop, sender: from });
        unattended.count(message, hubTime);
        if (!startsTurns(message)) return;
        // A conversation begins with its first answer: most messages never get one.
        if (message.hop > 0) count.run(message.conversation, message.hop, hubTime);
      },
      MessagesOffered({ hubTime, data }) {
        // What it sends from now on is caused by this turn, and no longer by those before it, unless it goes on with one.
        if (data.turn !== undefined && data.continues !== true) handed.remove(data.agent);
        for (const { seq } of data.deliveries) {
          const row = accepted.get(seq) ?? delivery.get(data.agent, seq);
          if (row === undefined || row.conversation === null) continue;
          // The person spoke: what came before is not what the agent acts on now.
          if (row.sender === HUMAN_ID) handed.remove(data.agent);
          handed.add(data.agent, { seq, at: hubTime, conversation: row.conversation, hop: row.hop });
        }
      },
      ConversationPaused({ hubTime, data }) {
        // The backstop stops everybody for a while, and no conversation in particular.
        if (data.reason === "budget") setState.run("paused", hubTime, data.conversation);
      },
      ConversationResumed({ hubTime, data }) {
        resume.run(data.hop, hubTime, data.conversation);
      },
      ConversationFrozen({ hubTime, data }) {
        setState.run("frozen", hubTime, data.conversation);
      },
      AgentDeregistered({ data }) {
        handed.remove(data.agent);
      },
    },
    get: (id) => get.get(id),
    withState: (state, limit) => byState.all(state, limit),
    handedSince: (agent, since) => handed.to(agent).filter(({ at }) => at >= since),
    unattendedSince: unattended.since,
  };
}
