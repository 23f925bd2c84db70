import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { EventData } from "../model/events.js";

/** `answer`: its seq. */
export type PendingCallback = Omit<EventData["CallbackDue"], "failed"> & { answer: number };

/** The callbacks that are neither made nor given up. */
type Callbacks = View & {
  byId(callback: string): PendingCallback | undefined;
  all(): PendingCallback[];
};

const COLUMNS = `id AS callback, answer, agent, message, asker AS "from", peer, url, attempt, due`;

export function createCallbacks(db: Database): Callbacks {
  const insert = db.prepare(
    "INSERT OR IGNORE INTO callback (id, answer, agent, message, asker, peer, url, attempt, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const update = db.prepare("UPDATE callback SET attempt = ?, due = ? WHERE id = ?");
  const remove = db.prepare("DELETE FROM callback WHERE id = ?");
  const get = db.prepare<[string], PendingCallback>(`SELECT ${COLUMNS} FROM callback WHERE id = ?`);
  const all = db.prepare<[], PendingCallback>(`SELECT ${COLUMNS} FROM callback ORDER BY due, id`);
  const oldest = db.prepare<[], { answer: number | null }>("SELECT min(answer) AS answer FROM callback");
  return {
    tables: ["callback"],
    folds: {
      CallbackDue({ seq, data }) {
        const { callback, agent, message, from, peer, url, attempt, due } = data;
        if (attempt === 1) insert.run(callback, seq - 1, agent, message, from, peer, url, attempt, due);
        else update.run(attempt, due, callback);
      },
      CallbackDone({ data }) {
        remove.run(data.callback);
      },
    },
    oldestNeeded: () => oldest.get()?.answer ?? undefined,
    byId: (callback) => get.get(callback),
    all: () => all.all(),
  };
}
