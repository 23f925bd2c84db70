import type { Database } from "better-sqlite3";
import type { View } from "../journal/fold.js";
import { type AgentId, HUB_ID, HUMAN_ID } from "../model/agent.js";
import type { ConversationId, Message } from "../model/message.js";

export type Conversation = {
  id: ConversationId;
  messages: number;
  hop: number;
  base: number;
  state: "open" | "paused" | "frozen";
};

/** A message that an agent was handed lately, as a cause of what it sends. */
export type Handed = { seq: number; conversation: ConversationId; hop: number };

/** What caused what: so that agents that keep answering each other can be stopped, however many they are. */
export type Conversations = View & {
  get(id: ConversationId): Conversation | undefined;
  withState(state: Conversation["state"], limit: number): Conversation[];
  /** What the agent was handed since then, newest first; never more than a few. */
  handedSince(agent: AgentId, since: number): Handed[];
  /** Messages between agents since then, unless a person spoke in between. */
  unattendedSince(since: number): number;
};

const SLOT_MS = 5 * 60_000;
const REMEMBER_MS = 60 * 60_000;
const CAUSES = 20;
const REMEMBERED = 10_000;

export function createConversations(db: Database): Conversations {
  const get = db.prepare<[string], Conversation>(
    "SELECT id, messages, hop, base, state FROM conversation WHERE id = ?",
  );
  const byState = db.prepare<[string, number], Conversation>(
    "SELECT id, messages, hop, base, state FROM conversation WHERE state = ? ORDER BY changed DESC LIMIT ?",
  );
  const handed = db.prepare<[string, number], Handed & { at: number }>(
    "SELECT seq, conversation, hop, at FROM handed WHERE agent = ? ORDER BY seq DESC LIMIT ?",
  );
  const unattended = db.prepare<[], { slot: number; n: number }>("SELECT slot, n FROM unattended");
  const count = db.prepare(
    `INSERT INTO conversation (id, messages, hop, base, state, changed) VALUES (?, 1, ?, 0, 'open', ?)
       ON CONFLICT (id) DO UPDATE SET messages = messages + 1, hop = max(hop, excluded.hop)`,
  );
  const setState = db.prepare("UPDATE conversation SET state = ?, changed = ? WHERE id = ?");
  const resume = db.prepare(
    "UPDATE conversation SET state = 'open', messages = 0, base = ?, changed = ? WHERE id = ?",
  );
  const hand = db.prepare(
    "INSERT OR REPLACE INTO handed (agent, seq, at, conversation, hop) VALUES (?, ?, ?, ?, ?)",
  );
  // One whose turns the hub knows forgets with its turns, however long they last.
  const forgetOld = db.prepare(
    `DELETE FROM handed WHERE agent = ? AND at < ?
       AND NOT EXISTS (SELECT 1 FROM agent WHERE id = handed.agent AND runtime IN ('acp', 'headless'))`,
  );
  const forgetAll = db.prepare("DELETE FROM handed WHERE agent = ?");
  const tally = db.prepare(
    "INSERT INTO unattended (slot, n) VALUES (?, ?) ON CONFLICT (slot) DO UPDATE SET n = n + excluded.n",
  );
  const forgetSlots = db.prepare("DELETE FROM unattended WHERE slot < ?");
  const attended = db.prepare("DELETE FROM unattended");
  const delivery = db.prepare<[string, number], { conversation: string | null; hop: number; sender: string }>(
    "SELECT conversation, hop, sender FROM delivery WHERE recipient = ? AND seq = ?",
  );

  // Asked at every send, and changed only when an agent is handed something.
  const known = new Map<AgentId, readonly (Handed & { at: number })[]>();
  function handedTo(agent: AgentId) {
    const rows = known.get(agent) ?? handed.all(agent, CAUSES);
    if (known.size >= REMEMBERED) known.clear();
    known.set(agent, rows);
    return rows;
  }
  let slots: Map<number, number> | undefined;
  function tallied(): Map<number, number> {
    slots ??= new Map(unattended.all().map(({ slot, n }) => [slot, n]));
    return slots;
  }
  let newestSlot: number | undefined;

  return {
    tables: ["handed", "conversation", "unattended"],
    forget() {
      known.clear();
      newestSlot = undefined;
      slots = undefined;
    },
    folds: {
      MessageAccepted({ hubTime, data: { message } }) {
        if (message.from === HUMAN_ID && tallied().size > 0) {
          attended.run();
          slots = undefined;
        }
        if (!startsTurns(message)) return;
        const slot = Math.floor(hubTime / SLOT_MS);
        tallied().set(slot, (tallied().get(slot) ?? 0) + message.to.length);
        tally.run(slot, message.to.length);
        if (slot !== newestSlot) {
          forgetSlots.run(slot - REMEMBER_MS / SLOT_MS - 1);
          slots = undefined;
        }
        newestSlot = slot;
        // A conversation begins with its first answer: most messages never get one.
        if (message.hop > 0) count.run(message.conversation, message.hop, hubTime);
      },
      MessagesOffered({ hubTime, data }) {
        known.delete(data.agent);
        // What it sends from now on is caused by this turn, and no longer by those before it, unless it goes on with one.
        if (data.turn !== undefined && data.continues !== true) forgetAll.run(data.agent);
        else forgetOld.run(data.agent, hubTime - REMEMBER_MS);
        for (const { seq } of data.deliveries) {
          const row = delivery.get(data.agent, seq);
          if (row === undefined || row.conversation === null) continue;
          // The person spoke: what came before is not what the agent acts on now.
          if (row.sender === HUMAN_ID) forgetAll.run(data.agent);
          hand.run(data.agent, seq, hubTime, row.conversation, row.hop);
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
        known.delete(data.agent);
        forgetAll.run(data.agent);
      },
    },
    get: (id) => get.get(id),
    withState: (state, limit) => byState.all(state, limit),
    handedSince: (agent, since) => handedTo(agent).filter(({ at }) => at >= since),
    unattendedSince(since) {
      let total = 0;
      for (const [slot, n] of tallied()) if (slot >= Math.floor(since / SLOT_MS)) total += n;
      return total;
    },
  };
}

/** Whether it is mail between agents that can make its reader do something. */
function startsTurns(message: Message): boolean {
  if (message.attention === "fyi" || message.from === HUMAN_ID || message.from === HUB_ID) return false;
  return message.to.some(({ agent }) => agent !== HUMAN_ID);
}
