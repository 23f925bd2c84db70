import { setTimeout as sleep } from "node:timers/promises";
import type { AgentId } from "../../model/agent.js";
import type { LazyView, LazyViews } from "./lazy-views.js";
import { MANY, partiesOf, partyOf } from "./parties.js";

/** Waited for what was just sent, but not for long. */
const CATCH_UP_MS = 250;
const END = Number.MAX_SAFE_INTEGER;

/** The messages that each agent sent or got, in order. */
export const mailOfView: LazyView = {
  name: "mail_of",
  version: 1,
  create: (db) =>
    db.exec(
      "CREATE TABLE mail_of (party INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (party, seq)) WITHOUT ROWID",
    ),
  drop: (db) => db.exec("DROP TABLE IF EXISTS mail_of"),
  fold(db) {
    const insert = db.prepare("INSERT OR IGNORE INTO mail_of (party, seq) VALUES (?, ?)");
    return (events) => {
      for (const event of events) {
        if (event.type !== "MessageAccepted") continue;
        for (const party of partiesOf(event.data.message)) insert.run(party, event.seq);
      }
    };
  },
  prune(db) {
    const oldest = db
      .prepare<[number, number, number], number>(
        "SELECT seq FROM mail_of WHERE party = ? AND seq <= ? ORDER BY seq LIMIT ?",
      )
      .pluck();
    const next = db.prepare<[number], { party: number | null }>(
      "SELECT min(party) AS party FROM mail_of WHERE party > ?",
    );
    const remove = db.prepare("DELETE FROM mail_of WHERE party = ? AND seq = ?");
    return (upTo, limit) => {
      let removed = 0;
      for (let party = -1; removed < limit; ) {
        const found = next.get(party)?.party ?? null;
        if (found === null) break;
        party = found;
        const seqs = oldest.all(party, upTo, limit - removed);
        for (const seq of seqs) remove.run(party, seq);
        removed += seqs.length;
      }
      return removed;
    };
  },
};

/** Where a page begins: before one place, newest first, or after one, oldest first. */
export type MailPlace = { before: number } | { after: number };

/** Seqs of messages that may be this agent's, from a place on: what is for many, and other parties', can be among them. */
export function createMailOf({ reading, caughtUp }: Pick<LazyViews, "reading" | "caughtUp">) {
  const read = reading<[AgentId, MailPlace, number], number[]>((db) => {
    const older = db
      .prepare<[number, number, number], number>(
        "SELECT seq FROM mail_of WHERE party = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
      )
      .pluck();
    const newer = db
      .prepare<[number, number, number], number>(
        "SELECT seq FROM mail_of WHERE party = ? AND seq > ? ORDER BY seq LIMIT ?",
      )
      .pluck();
    // Each party by itself: together they would all be sorted first.
    return (agent, place, limit) => {
      const parties = [partyOf(agent), MANY];
      const seqs =
        "after" in place
          ? parties.flatMap((party) => newer.all(party, place.after, limit))
          : parties.flatMap((party) => older.all(party, Math.min(place.before, END), limit));
      const sorted = [...new Set(seqs)].sort((a, b) => ("after" in place ? a - b : b - a));
      return sorted.slice(0, limit);
    };
  }, []);
  return async (agent: AgentId, place: MailPlace, limit: number): Promise<number[]> => {
    await Promise.race([caughtUp(), sleep(CATCH_UP_MS, undefined, { ref: false })]);
    return read(agent, place, limit);
  };
}
