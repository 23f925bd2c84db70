import type { Database } from "better-sqlite3";
import type { AgentId } from "../model/agent.js";
import type { ConversationId } from "../model/message.js";

/** A message that an agent was handed, and when in hub time. */
export type Handed = { seq: number; at: number; conversation: ConversationId; hop: number };

/** What each agent was handed lately: the causes of what it sends next. Asked at every send, so remembered. */
export type HandedMail = {
  /** Newest first, and never more than a few. */
  to(agent: AgentId): readonly Handed[];
  add(agent: AgentId, handed: Handed): void;
  /** Nothing of what it was handed counts any more. */
  remove(agent: AgentId): void;
  /** What is remembered goes; what is stored stays. */
  forget(): void;
};

const CAUSES = 20;
const REMEMBERED = 10_000;

export function createHandedMail(db: Database): HandedMail {
  const select = db.prepare<[string, number], Handed>(
    "SELECT seq, at, conversation, hop FROM handed WHERE agent = ? ORDER BY seq DESC LIMIT ?",
  );
  const put = db.prepare("REPLACE INTO handed (agent, seq, at, conversation, hop) VALUES (?, ?, ?, ?, ?)");
  const removeOne = db.prepare("DELETE FROM handed WHERE agent = ? AND seq = ?");
  const removeAll = db.prepare("DELETE FROM handed WHERE agent = ?");

  const known = new Map<AgentId, readonly Handed[]>();
  function remember(agent: AgentId, rows: readonly Handed[]): readonly Handed[] {
    if (known.size >= REMEMBERED) known.clear();
    known.set(agent, rows);
    return rows;
  }
  const to = (agent: AgentId) => known.get(agent) ?? remember(agent, select.all(agent, CAUSES));

  return {
    to,
    add(agent, handed) {
      const others = to(agent).filter(({ seq }) => seq !== handed.seq);
      const [newest] = others;
      const rows = [handed, ...others];
      if (newest !== undefined && newest.seq > handed.seq) rows.sort((a, b) => b.seq - a.seq);
      put.run(agent, handed.seq, handed.at, handed.conversation, handed.hop);
      for (const { seq } of rows.splice(CAUSES)) removeOne.run(agent, seq);
      remember(agent, rows);
    },
    remove(agent) {
      if (to(agent).length > 0) removeAll.run(agent);
      remember(agent, []);
    },
    forget: () => known.clear(),
  };
}
