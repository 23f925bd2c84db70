import type { Database } from "better-sqlite3";
import type { View } from "../journal/fold.js";
import type { AgentId } from "../model/agent.js";

/** How the newest messages of one agent to another came: what their cooldown is decided from. In hub time. */
export type Pair = { level: number; last: number; due: number; recent: readonly number[] };

export type Pairs = View & {
  get(sender: AgentId, recipient: AgentId): Pair | undefined;
  /** Whether mail of this sender is held by a cooldown now. */
  isHolding(sender: AgentId, now: number): boolean;
};

const MINUTE_MS = 60_000;
const REMEMBERED = 20_000;

export function createPairs(db: Database): Pairs {
  const get = db.prepare<[string, string], { level: number; last: number; due: number; recent: string }>(
    "SELECT level, last, due, recent FROM pair WHERE sender = ? AND recipient = ?",
  );
  const put = db.prepare(
    "REPLACE INTO pair (sender, recipient, level, last, due, recent) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const holding = db.prepare<[string, number]>("SELECT 1 FROM pair WHERE sender = ? AND due > ? LIMIT 1");
  const forgetAgent = db.prepare("DELETE FROM pair WHERE sender = ? OR recipient = ?");

  // Read to decide and again to fold, for each recipient of a broadcast: remembered in between.
  const known = new Map<string, Pair | undefined>();
  function read(sender: AgentId, recipient: AgentId): Pair | undefined {
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

  return {
    tables: ["pair"],
    forget: () => known.clear(),
    folds: {
      MessageAccepted({ hubTime, data: { message } }) {
        for (const { agent, pace } of message.to) {
          if (pace === undefined) continue;
          const before = read(message.from, agent)?.recent ?? [];
          const inMinute = [...before.filter((at) => hubTime - at < MINUTE_MS), hubTime];
          const recent = pace.keep === 0 ? [] : inMinute.slice(-pace.keep);
          put.run(message.from, agent, pace.level, hubTime, pace.due, JSON.stringify(recent));
          remember(`${message.from} ${agent}`, { level: pace.level, last: hubTime, due: pace.due, recent });
        }
      },
      AgentDeregistered({ data }) {
        forgetAgent.run(data.agent, data.agent);
        known.clear();
      },
    },
    get: read,
    isHolding: (sender, now) => holding.get(sender, now) !== undefined,
  };
}

function toTimes(json: string): number[] {
  const times: unknown = JSON.parse(json);
  return Array.isArray(times) ? times.filter((time) => typeof time === "number") : [];
}
