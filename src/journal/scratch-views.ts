import { baselineSeq, loadBaseline } from "./baseline.js";
import { createEventStore } from "./event-store.js";
import { createFold, type View } from "./fold.js";
import { storeAll } from "./rebuild.js";
import { openSqlite } from "./sqlite/open.js";
import type { Database } from "./sqlite/port.js";

/**
 * The tight views as they were at an earlier event, in temporary tables of a connection of its own that cannot write the
 * file: temporary tables stand before those of the file by the same name, and the events are read from the file.
 */
type ScratchViews = {
  db: Database;
  /** Folds at most `limit` more events up to `upTo`; whether there are more. */
  foldSome(upTo: number, limit: number): boolean;
  close(): void;
};

export function openScratchViews(
  file: string,
  tables: readonly string[],
  createViews: (db: Database) => Record<string, View>,
): ScratchViews {
  const db = openSqlite(file, { readonly: true });
  try {
    for (const table of tables) for (const sql of schemaOf(db, table)) db.exec(sql);
    const views = Object.values(createViews(db));
    const apply = createFold(views);
    const events = createEventStore(db);
    loadBaseline(db);
    let place = baselineSeq(db);
    return {
      db,
      foldSome: db.transaction((upTo: number, limit: number) => {
        const page = events.pageAfter(place, limit).filter(({ seq }) => seq <= upTo);
        for (const event of page) apply(event);
        storeAll(views);
        place = page.at(-1)?.seq ?? upTo;
        return place < upTo;
      }),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function schemaOf(db: Database, table: string): string[] {
  return db
    .prepare<[string], string>(
      "SELECT sql FROM main.sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC",
    )
    .pluck()
    .all(table)
    .map((sql) =>
      sql
        .replace(/^CREATE TABLE /, "CREATE TEMP TABLE ")
        .replace(/^CREATE (UNIQUE )?INDEX /, "CREATE $1INDEX temp."),
    );
}
