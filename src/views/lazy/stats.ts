import type { Database } from "../../journal/sqlite/port.js";
import type { HubEvent } from "../../model/events.js";
import type { LazyView } from "./lazy-views.js";

/** How often each thing happened since the journal began. */
export const statsView: LazyView = {
  name: "stats",
  version: 2,
  create: (db) => db.exec("CREATE TABLE stat (type TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID"),
  drop: (db) => db.exec("DROP TABLE IF EXISTS stat"),
  fold(db) {
    const count = db.prepare(
      "INSERT INTO stat (type, n) VALUES (?, ?) ON CONFLICT (type) DO UPDATE SET n = n + excluded.n",
    );
    return (events) => {
      const counts = new Map<string, number>();
      for (const event of events) counts.set(event.type, (counts.get(event.type) ?? 0) + weight(event));
      for (const [type, n] of counts) count.run(type, n);
    };
  },
};

/** A batch counts as its messages, whichever step they took. */
function weight({ data }: HubEvent): number {
  return "deliveries" in data ? data.deliveries.length : 1;
}

export function readStats(db: Database): Record<string, number> {
  const rows = db.prepare<[], { type: string; n: number }>("SELECT type, n FROM stat").all();
  return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
}
