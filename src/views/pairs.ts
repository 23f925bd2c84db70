import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";

/** How the newest messages of one agent to another came: what their cooldown is decided from. In hub time. */
export type Pair = { level: number; last: number; due: number; recent: readonly number[]; seq: number };

type Pairs = View & {
  get(sender: AgentId, recipient: AgentId): Pair | undefined;
  /** Whether mail of this sender is held by a cooldown now. */
  isHolding(sender: AgentId, now: number): boolean;
};

const MINUTE_MS = 60_000;
const REMEMBERED = 20_000;

export function createPairs(db: Database): Pairs {
  const get = db.prepare<
    [string, string],
    { level: number; last: number; due: number; recent: string; seq: number }
  >("SELECT level, last, due, recent, seq FROM pair WHERE sender = ? AND recipient = ?");
  const put = db.prepare(
    "REPLACE INTO pair (sender, recipient, level, last, due, recent, seq) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const holding = db.prepare<[string, number]>("SELECT 1 FROM pair WHERE sender = ? AND due > ? LIMIT 1");
  const forgetAgent = db.prepare("DELETE FROM pair WHERE sender = ? OR recipient = ?");

  /** By sender and recipient: what the table does not have yet, and what was read from it. */
  const unstored = new Map<AgentId, Map<AgentId, Pair>>();
  const known = new Map<string, Pair | undefined>();
  let rows = 0;

  function read(sender: AgentId, recipient: AgentId): Pair | undefined {
    const fresh = unstored.get(sender)?.get(recipient);
    if (fresh !== undefined) return fresh;
    const key = `${sender} ${recipient}`;
    if (known.has(key)) return known.get(key);
    const row = get.get(sender, recipient);
    return remember(key, row && { ...row, recent: toTimes(row.recent) });
  }
  function remember(key: string, pair: Pair | undefined): Pair | undefined {
    if (known.size >= REMEMBERED) known.clear();
    known.set(key, pair);
    return pair;
  }
  function change(sender: AgentId, recipient: AgentId, pair: Pair) {
    const own = unstored.get(sender) ?? new Map<AgentId, Pair>();
    unstored.set(sender, own);
    rows -= own.size;
    own.set(recipient, pair);
    rows += own.size;
  }
  function forget() {
    unstored.clear();
    known.clear();
    rows = 0;
  }
  function store() {
    known.clear();
    for (const [sender, own] of unstored) {
      for (const [recipient, pair] of own) {
        const { level, last, due, recent, seq } = pair;
        put.run(sender, recipient, level, last, due, JSON.stringify(recent), seq);
        remember(`${sender} ${recipient}`, pair);
      }
    }
    unstored.clear();
    rows = 0;
  }

  return {
    tables: ["pair"],
    forget,
    trails: { store, unstored: () => rows },
    folds: {
      MessageAccepted({ seq, hubTime, data: { message } }) {
        for (const { agent, pace } of message.to) {
          if (pace === undefined) continue;
          const before = read(message.from, agent);
          if (before !== undefined && before.seq >= seq) continue;
          const recent = pace.keep === 0 ? [] : lastMinute(before, hubTime).slice(-pace.keep);
          change(message.from, agent, { level: pace.level, last: hubTime, due: pace.due, recent, seq });
        }
      },
      AgentDeregistered({ data }) {
        store();
        forgetAgent.run(data.agent, data.agent);
        known.clear();
      },
    },
    get: read,
    isHolding(sender, now) {
      for (const { due } of unstored.get(sender)?.values() ?? []) if (due > now) return true;
      return holding.get(sender, now) !== undefined;
    },
  };
}

function lastMinute(pair: Pair | undefined, hubTime: number): number[] {
  return [...(pair?.recent ?? []).filter((at) => hubTime - at < MINUTE_MS), hubTime];
}

function toTimes(json: string): number[] {
  const times: unknown = JSON.parse(json);
  return Array.isArray(times) ? times.filter((time) => typeof time === "number") : [];
}
