import type { AgentId } from "../../model/agent.js";
import { endOf } from "../../model/message-tag.js";
import type { LazyView, LazyViews } from "./lazy-views.js";
import { MANY, partiesOf, partyOf } from "./parties.js";

/*
 * Messages by the ends of their ids, for those who sent or got them: a row takes a few bytes, and whoever looks reads the
 * message anyway.
 */

type Row = { party: number; digits: number; seq: number };

const before: Row = { party: -1, digits: 0, seq: 0 };

/** Nobody has as many of one end unless somebody chose the ids; the newest are found. */
const MOST = 1000;

export const idEndsView: LazyView = {
  name: "id_ends",
  version: 1,
  create: (db) =>
    db.exec(
      "CREATE TABLE id_end (party INTEGER NOT NULL, digits INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (party, digits, seq)) WITHOUT ROWID",
    ),
  drop: (db) => db.exec("DROP TABLE IF EXISTS id_end"),
  fold(db) {
    const insert = db.prepare("INSERT OR IGNORE INTO id_end (party, digits, seq) VALUES (?, ?, ?)");
    return (events) => {
      for (const event of events) {
        if (event.type !== "MessageAccepted") continue;
        const { message } = event.data;
        const digits = reversed(endOf(message.id));
        for (const party of partiesOf(message)) insert.run(party, digits, event.seq);
      }
    };
  },
  prune(db) {
    const next = db.prepare<[number, number, number, number], Row>(
      "SELECT party, digits, seq FROM id_end WHERE (party, digits, seq) > (?, ?, ?) ORDER BY party, digits, seq LIMIT ?",
    );
    const remove = db.prepare("DELETE FROM id_end WHERE party = ? AND digits = ? AND seq = ?");
    let pruned = 0;
    let place = before;
    // They do not lie in the order of their events: all are looked at once, a few at a time.
    return (upTo, limit) => {
      if (upTo <= pruned) return 0;
      const rows = next.all(place.party, place.digits, place.seq, limit);
      for (const { party, digits, seq } of rows) if (seq <= upTo) remove.run(party, digits, seq);
      place = rows.at(-1) ?? before;
      if (rows.length === 0) pruned = upTo;
      return rows.length;
    };
  },
};

/** Backwards, what ends alike lies side by side. */
function reversed(digits: string, fill = "0"): number {
  return Number.parseInt(digits.split("").toReversed().join("").padEnd(8, fill), 16);
}

/** Seqs of messages whose ids end so and which may be this agent's, newest first: other parties' can be among them. */
export function createIdEnds({ reading }: Pick<LazyViews, "reading">) {
  return reading<[AgentId, string], number[]>((db) => {
    const find = db
      .prepare<[number, number, number, number, number], number>(
        "SELECT DISTINCT seq FROM id_end WHERE party IN (?, ?) AND digits BETWEEN ? AND ? ORDER BY seq DESC LIMIT ?",
      )
      .pluck();
    return (agent, digits) => find.all(partyOf(agent), MANY, reversed(digits), reversed(digits, "f"), MOST);
  }, []);
}
