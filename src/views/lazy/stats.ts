import type { Database } from "../../journal/sqlite/port.js";
import type { HubEvent } from "../../model/events.js";
import type { LazyView } from "./lazy-views.js";

/** How often each thing happened since the journal began. */
export const statsView: LazyView = {
  name: "stats",
  version: 1,
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

function weight(event: HubEvent): number {
  const counted =
    event.type === "MessagesOffered" || event.type === "MessagesSeen" || event.type === "DeliveriesFailed";
  return counted ? event.data.deliveries.length : 1;
}

export function readStats(db: Database): Record<string, number> {
  const rows = db.prepare<[], { type: string; n: number }>("SELECT type, n FROM stat").all();
  return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
}
