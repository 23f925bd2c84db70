import { createEventStore } from "../journal/event-store.js";
import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { TurnId } from "../model/turn.js";
import { createRemembered } from "./remembered.js";

const REMEMBERED = 1000;

type Row = { agent: string; id: string; started: number; deliveries: string };

/** `started` is hub time; `deliveries` are the seqs that the turn carries. */
type Turn = { agent: AgentId; id: TurnId; started: number; deliveries: number[] };

/** The turn that each hosted agent is in: from its offer until it ended. */
type Turns = View & {
  open(agent: AgentId): Turn | undefined;
  all(): Turn[];
  /** At most `limit` turns of an agent that ended before a seq, newest first. What was never taken was none. */
  history(agent: AgentId, before: number, limit: number): EventOf<"TurnEnded">[];
};

export function createTurns(db: Database): Turns {
  const get = db.prepare<[string], Row>("SELECT agent, id, started, deliveries FROM turn WHERE agent = ?");
  const all = db.prepare<[], Row>("SELECT agent, id, started, deliveries FROM turn");
  const oldest = db.prepare<[], { seq: number | null }>("SELECT min(oldest) AS seq FROM turn");
  const put = db.prepare("REPLACE INTO turn (agent, id, started, deliveries, oldest) VALUES (?, ?, ?, ?, ?)");
  const events = createEventStore(db);
  // In the words of the index.
  const ended = db
    .prepare<[string, number, number], number>(
      `SELECT seq FROM event
       WHERE type = 'TurnEnded' AND json_extract(data, '$.stop') <> 'not_taken' AND subject = ? AND seq < ?
       ORDER BY seq DESC LIMIT ?`,
    )
    .pluck();
  const end = db.prepare("DELETE FROM turn WHERE agent = ? AND id = ?");
  // Asked several times for each step of a turn.
  const remembered = createRemembered<AgentId, Turn>(REMEMBERED);

  const open = (agent: AgentId) => remembered.get(agent, () => toTurn(get.get(agent)));

  return {
    tables: ["turn"],
    // What a turn carries may wait again.
    oldestNeeded: () => oldest.get()?.seq ?? undefined,
    forget: remembered.forget,
    folds: {
      MessagesOffered({ hubTime, data: { agent, turn, deliveries } }) {
        if (turn === undefined) return;
        const seqs = deliveries.map(({ seq }) => seq);
        put.run(agent, turn, hubTime, JSON.stringify(seqs), Math.min(...seqs));
        remembered.set(agent, { agent, id: turn, started: hubTime, deliveries: seqs });
      },
      TurnEnded({ data: { agent, turn } }) {
        end.run(agent, turn);
        if (open(agent)?.id === turn) remembered.remove(agent);
      },
    },
    open,
    all: () => all.all().flatMap((row) => toTurn(row) ?? []),
    history: (agent, before, limit) =>
      ended.all(agent, before, limit).flatMap((seq) => {
        const event = events.get(seq);
        return event?.type === "TurnEnded" ? [event] : [];
      }),
  };
}

function toTurn(row: Row | undefined): Turn | undefined {
  if (row === undefined) return undefined;
  const seqs: unknown = JSON.parse(row.deliveries);
  return {
    agent: row.agent,
    id: row.id,
    started: row.started,
    deliveries: Array.isArray(seqs) ? seqs.filter((seq) => typeof seq === "number") : [],
  };
}
