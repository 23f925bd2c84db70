import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";

type PausedPair = { from: AgentId; to: AgentId };

/** The directions of pairs that the person paused. There are few, and every send asks: they are kept in memory. */
type PausedPairs = View & {
  has(from: AgentId, to: AgentId): boolean;
  all(): PausedPair[];
};

export function createPausedPairs(db: Database): PausedPairs {
  const list = db.prepare<[], { sender: string; recipient: string }>(
    "SELECT sender, recipient FROM paused_pair",
  );
  const insert = db.prepare("INSERT OR IGNORE INTO paused_pair (sender, recipient, since) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM paused_pair WHERE sender = ? AND recipient = ?");
  const removeAgent = db.prepare("DELETE FROM paused_pair WHERE sender = ? OR recipient = ?");
  let known: Map<AgentId, Set<AgentId>> | undefined;

  function load(): Map<AgentId, Set<AgentId>> {
    const loaded = new Map<AgentId, Set<AgentId>>();
    for (const { sender, recipient } of list.all())
      loaded.set(sender, (loaded.get(sender) ?? new Set()).add(recipient));
    return loaded;
  }
  const pairs = () => (known ??= load());

  return {
    tables: ["paused_pair"],
    forget() {
      known = undefined;
    },
    folds: {
      PairPaused({ hubTime, data: { from, to } }) {
        insert.run(from, to, hubTime);
        known = undefined;
      },
      PairResumed({ data: { from, to } }) {
        remove.run(from, to);
        known = undefined;
      },
      AgentDeregistered({ data: { agent } }) {
        if (pairs().size === 0) return;
        removeAgent.run(agent, agent);
        known = undefined;
      },
    },
    has: (from, to) => pairs().get(from)?.has(to) ?? false,
    all: () => [...pairs()].flatMap(([from, recipients]) => [...recipients].map((to) => ({ from, to }))),
  };
}
