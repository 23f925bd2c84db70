import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import { createWriteBehind } from "./write-behind.js";

/** How the newest messages of one agent to another came: what their cooldown is decided from. In hub time. */
export type Pair = { level: number; last: number; due: number; recent: readonly number[]; seq: number };

type Pairs = View & {
  get(sender: AgentId, recipient: AgentId): Pair | undefined;
  /** Whether mail of this sender is held by a cooldown now. */
  isHolding(sender: AgentId, now: number): boolean;
  /** When the last of it goes on, if any is held. */
  holdsUntil(sender: AgentId, now: number): number | undefined;
};

const MINUTE_MS = 60_000;
const REMEMBERED = 5000;
/** Longer than any cooldown is remembered. */
const LONG_AGO_MS = 24 * 60 * MINUTE_MS;

export function createPairs(db: Database): Pairs {
  const get = db.prepare<
    [string, string],
    { level: number; last: number; due: number; recent: string; seq: number }
  >("SELECT level, last, due, recent, seq FROM pair WHERE sender = ? AND recipient = ?");
  const put = db.prepare(
    "REPLACE INTO pair (sender, recipient, level, last, due, recent, seq) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const holding = db.prepare<[string, number]>("SELECT 1 FROM pair WHERE sender = ? AND due > ? LIMIT 1");
  const latest = db.prepare<[string], { due: number | null }>(
    "SELECT max(due) AS due FROM pair WHERE sender = ?",
  );
  const forgetAgent = db.prepare("DELETE FROM pair WHERE sender = ? OR recipient = ?");

  const rows = createWriteBehind<Pair>({
    read(sender, recipient) {
      const row = get.get(sender, recipient);
      return row && { ...row, recent: toTimes(row.recent) };
    },
    write: (sender, recipient, { level, last, due, recent, seq }) =>
      put.run(sender, recipient, level, last, due, JSON.stringify(recent), seq),
    remembered: REMEMBERED,
  });

  return {
    tables: ["pair"],
    forget: rows.forget,
    trails: rows.trails,
    folds: {
      MessageAccepted({ seq, hubTime, data: { message } }) {
        for (const { agent, pace } of message.to) {
          if (pace === undefined) continue;
          const before = rows.get(message.from, agent);
          if (before !== undefined && before.seq >= seq) continue;
          const recent = pace.keep === 0 ? [] : lastMinute(before, hubTime).slice(-pace.keep);
          rows.set(message.from, agent, { level: pace.level, last: hubTime, due: pace.due, recent, seq });
        }
      },
      PairReset({ seq, hubTime, data: { from, to } }) {
        const before = rows.get(from, to);
        if (before === undefined || before.seq >= seq) return;
        // As after a long silence; how many it sent in the last minute stays known.
        rows.set(from, to, { ...before, level: 0, last: hubTime - LONG_AGO_MS, due: hubTime, seq });
      },
      AgentDeregistered({ data }) {
        rows.trails.store();
        forgetAgent.run(data.agent, data.agent);
        rows.forget();
      },
    },
    get: rows.get,
    isHolding(sender, now) {
      for (const { due } of rows.unstored(sender).values()) if (due > now) return true;
      return holding.get(sender, now) !== undefined;
    },
    holdsUntil(sender, now) {
      const unstored = [...rows.unstored(sender).values()].map(({ due }) => due);
      const due = Math.max(latest.get(sender)?.due ?? 0, ...unstored);
      return due > now ? due : undefined;
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
