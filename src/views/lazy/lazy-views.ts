import { rmSync } from "node:fs";
import { createCrowded } from "../../journal/crowded.js";
import type { EventStore } from "../../journal/event-store.js";
import { openSqlite } from "../../journal/sqlite/open.js";
import type { Database } from "../../journal/sqlite/port.js";
import type { HubEvent } from "../../model/events.js";

/*
 * Views that are only read live in a file of their own, without fsync, and follow the journal behind a cursor that is
 * stored with them. They lag under load and never slow a sender; lost or damaged, the file is made anew.
 */

const SLICE = 200;
const SLICE_BYTES = 1024 * 1024;
/** A pause before each slice leaves the thread to the senders: first to let events gather, then to catch up. */
const GATHER_MS = 20;
const BETWEEN_MS = 5;
/** While messages keep coming faster than anybody reads, it falls behind, and catches up later. */
const CROWDED_MS = 250;

export type LazyView = {
  name: string;
  /** Raised when the tables change: the view is then folded anew. */
  version: number;
  create(db: Database): void;
  drop(db: Database): void;
  /** Takes in a slice at a time, so that what many of its events change is written once. */
  fold(db: Database): (events: readonly HubEvent[]) => void;
  /** Removes at most `limit` rows of events up to `upTo`, and says how many: their events are no longer there. */
  prune?(db: Database): (upTo: number, limit: number) => number;
};

export type LazyViews = {
  db: Database;
  place(): number;
  caughtUp(): Promise<void>;
  /** Removes, by and by, what is known of events up to `upTo`. */
  prune(upTo: number): void;
  close(): void;
};

type LazyPorts = {
  file: string;
  views: readonly LazyView[];
  events: Pick<EventStore, "pageAfter" | "lastSeq">;
  onCommitted: (listener: () => void) => () => void;
  onProblem: (error: unknown) => void;
};

export function openLazyViews({ file, views, events, onCommitted, onProblem }: LazyPorts): LazyViews {
  const db = openOrRemake(file, views, events.lastSeq());
  const cursors = db.prepare<[], { seq: number }>("SELECT min(seq) AS seq FROM cursor");
  const advance = db.prepare("UPDATE cursor SET seq = ? WHERE seq < ?");
  const folds = views.map((view) => ({ name: view.name, fold: view.fold(db) }));
  const placeOf = db.prepare<[string], { seq: number }>("SELECT seq FROM cursor WHERE view = ?");

  const prunes = views.flatMap((view) => view.prune?.(db) ?? []);

  const isCrowded = createCrowded(events.lastSeq);
  let scheduled = false;
  let closed = false;
  let pruneUpTo = 0;
  let waiting: (() => void)[] = [];

  const place = () => cursors.get()?.seq ?? 0;

  const foldSlice = db.transaction((page: readonly HubEvent[]) => {
    for (const { name, fold } of folds) {
      const from = placeOf.get(name)?.seq ?? 0;
      fold(from < (page[0]?.seq ?? 0) ? page : page.filter(({ seq }) => seq > from));
    }
    const last = page.at(-1)?.seq ?? 0;
    advance.run(last, last);
  });

  function step() {
    scheduled = false;
    if (closed) return;
    try {
      const page = events.pageAfter(place(), SLICE, SLICE_BYTES);
      if (page.length > 0) foldSlice(page);
      if (page.length > 0 && place() < events.lastSeq()) {
        return schedule(waiting.length === 0 && isCrowded() ? CROWDED_MS : BETWEEN_MS);
      }
      if (pruneUpTo > 0 && pruneSlice()) return schedule(BETWEEN_MS);
    } catch (error) {
      onProblem(error);
    }
    for (const done of waiting.splice(0)) done();
  }

  /** Whether there may be more. */
  function pruneSlice(): boolean {
    const removed = db.transaction(() => prunes.map((prune) => prune(pruneUpTo, SLICE)))();
    const isMore = removed.some((rows) => rows > 0);
    if (!isMore) pruneUpTo = 0;
    return isMore;
  }

  function schedule(afterMs: number) {
    if (scheduled || closed) return;
    scheduled = true;
    setTimeout(step, afterMs).unref();
  }

  const unlisten = onCommitted(() => schedule(GATHER_MS));
  schedule(0);
  return {
    db,
    place,
    caughtUp: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        schedule(0);
      }),
    prune(upTo) {
      pruneUpTo = Math.max(pruneUpTo, upTo);
      schedule(BETWEEN_MS);
    },
    close() {
      closed = true;
      unlisten();
      waiting = [];
      db.close();
    },
  };
}

/** Nothing here is worth saving: a file that cannot be used is removed and folded anew. */
function openOrRemake(file: string, views: readonly LazyView[], newest: number): Database {
  try {
    return openFile(file, views, newest);
  } catch {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    return openFile(file, views, newest);
  }
}

function openFile(file: string, views: readonly LazyView[], newest: number): Database {
  const db = openSqlite(file);
  try {
    // First, or the change of mode waits for the disk.
    db.pragma("synchronous = OFF");
    db.pragma("journal_mode = WAL");
    db.exec(
      "CREATE TABLE IF NOT EXISTS cursor (view TEXT PRIMARY KEY, version INTEGER NOT NULL, seq INTEGER NOT NULL)",
    );
    for (const view of views) prepare(db, view, newest);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A view of another version, or one that is ahead of the journal (another journal, then), starts over. */
function prepare(db: Database, view: LazyView, newest: number): void {
  const row = db
    .prepare<[string], { version: number; seq: number }>("SELECT version, seq FROM cursor WHERE view = ?")
    .get(view.name);
  if (row !== undefined && row.version === view.version && row.seq <= newest) return;
  db.transaction(() => {
    view.drop(db);
    view.create(db);
    db.prepare("INSERT OR REPLACE INTO cursor (view, version, seq) VALUES (?, ?, 0)").run(
      view.name,
      view.version,
    );
  })();
}
