import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { ConversationId } from "../model/message.js";
import { createUnattendedCount, startsTurns } from "./unattended-count.js";

export type Conversation = {
  id: ConversationId;
  messages: number;
  hop: number;
  base: number;
  state: "open" | "paused" | "frozen";
};

type Decided = Exclude<Conversation["state"], "open">;
const MOST_LISTED = 200;

/** What caused what: so that agents that keep answering each other can be stopped, however many they are. */
type Conversations = View & {
  get(id: ConversationId): Conversation | undefined;
  /** The one that was decided last first; at most 200. */
  withState(state: Decided, limit: number): Conversation[];
  /** Messages between agents since then, unless a person spoke in between. */
  unattendedSince(since: number): number;
};

export function createConversations(db: Database): Conversations {
  const get = db.prepare<[string], Conversation>(
    "SELECT id, messages, hop, base, state FROM conversation WHERE id = ?",
  );
  const byState = db
    .prepare<[string, number], string>(
      "SELECT id FROM conversation WHERE state = ? ORDER BY changed DESC LIMIT ?",
    )
    .pluck();
  const count = db.prepare(
    `INSERT INTO conversation (id, messages, hop, base, state, changed) VALUES (?, 1, ?, 0, 'open', ?)
       ON CONFLICT (id) DO UPDATE SET messages = messages + 1, hop = max(hop, excluded.hop)`,
  );
  const setState = db.prepare("UPDATE conversation SET state = ?, changed = ? WHERE id = ?");
  const resume = db.prepare(
    "UPDATE conversation SET state = 'open', messages = 0, base = ?, changed = ? WHERE id = ?",
  );
  const unattended = createUnattendedCount(db);
  /** Those that are not open: asked for by whoever looks, and changed only when a person or a budget decides. */
  const decided = new Map<Decided, ConversationId[]>();

  function listDecided(state: Decided): ConversationId[] {
    const known = decided.get(state) ?? byState.all(state, MOST_LISTED);
    decided.set(state, known);
    return known;
  }

  return {
    tables: ["conversation"],
    forget() {
      unattended.forget();
      decided.clear();
    },
    folds: {
      MessageAccepted({ hubTime, data: { message } }) {
        unattended.count(message, hubTime);
        if (!startsTurns(message)) return;
        // A conversation begins with its first answer: most messages never get one.
        if (message.hop > 0) count.run(message.conversation, message.hop, hubTime);
      },
      ConversationPaused({ hubTime, data }) {
        // The backstop stops everybody for a while, and no conversation in particular.
        if (data.reason === "budget") setState.run("paused", hubTime, data.conversation);
        decided.clear();
      },
      ConversationResumed({ hubTime, data }) {
        resume.run(data.hop, hubTime, data.conversation);
        decided.clear();
      },
      ConversationFrozen({ hubTime, data }) {
        setState.run("frozen", hubTime, data.conversation);
        decided.clear();
      },
    },
    get: (id) => get.get(id),
    withState: (state, limit) =>
      listDecided(state)
        .slice(0, limit)
        .flatMap((id) => get.get(id) ?? []),
    unattendedSince: unattended.since,
  };
}
