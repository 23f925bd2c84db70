import { rmSync } from "node:fs";
import type { FeedSource } from "../../journal/feed.js";
import { follow } from "../../journal/follow.js";
import { openSqlite } from "../../journal/sqlite/open.js";
import type { Database } from "../../journal/sqlite/port.js";
import { isDamage } from "../../journal/storage-error.js";
import type { HubEvent } from "../../model/events.js";
import { refuseFolder } from "./refuse-folder.js";

/*
 * Views that are only read live in a file of their own, without fsync, and follow the journal behind a cursor that is
 * stored with them. They lag under load and never slow a sender; lost or damaged, the file is rebuilt.
 */

/** Rows that one step of pruning removes. */
const PRUNE_ROWS = 200;

export type LazyView = {
  name: string;
  /** Raised when the tables change: the view is then folded again. */
  version: number;
  create(db: Database): void;
  drop(db: Database): void;
  /** Takes in a slice at a time, so that what many of its events change is written once. */
  fold(db: Database): (events: readonly HubEvent[]) => void;
  /** Removes at most `limit` rows of events up to `upTo`, and says how many: their events are no longer there. */
  prune?(db: Database): (upTo: number, limit: number) => number;
};

export type LazyViews = {
  /** The file that is open now: another one after it was rebuilt. */
  readonly db: Database;
  /**
   * A way to read it that survives this: `make` is called again for a new file. What a damaged file cannot answer is
   * answered with `otherwise`.
   */
  reading<A extends readonly unknown[], R>(
    make: (db: Database) => (...args: A) => R,
    otherwise: R,
  ): (...args: A) => R;
  place(): number;
  caughtUp(): Promise<void>;
  /** Removes, a little at a time, what is known of events up to `upTo`. */
  prune(upTo: number): void;
  close(): void;
};

type LazyPorts = FeedSource & {
  file: string;
  views: readonly LazyView[];
  onProblem: (error: unknown) => void;
};

export function openLazyViews({ file, views, onProblem, ...source }: LazyPorts): LazyViews {
  refuseFolder(file);
  let opened = openFolds(file, views, source.events.lastSeq());
  let isDamaged = false;
  let pruneUpTo = 0;

  function openAnew() {
    opened.db.close();
    removeFile(file);
    opened = openFolds(file, views, source.events.lastSeq());
    isDamaged = false;
  }

  /** What it throws about a damaged file has the file rebuilt. */
  function watched<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      isDamaged ||= isDamage(error);
      throw error;
    }
  }

  const follower = follow(source, {
    open() {
      if (isDamaged) openAnew();
      return watched(opened.place);
    },
    take: (slice) => watched(() => opened.take(slice)),
    tidy: () => watched(() => opened.prune(pruneUpTo)),
    onProblem,
  });
  return {
    get db() {
      return opened.db;
    },
    reading(make, otherwise) {
      let from: Database | undefined;
      let read: ReturnType<typeof make>;
      return (...args) => {
        try {
          return watched(() => {
            if (from !== opened.db) read = make(opened.db);
            from = opened.db;
            return read(...args);
          });
        } catch (error) {
          if (!isDamaged) throw error;
          follower.fail(error);
          return otherwise;
        }
      };
    },
    place: () => opened.place(),
    caughtUp: follower.caughtUp,
    prune(upTo) {
      pruneUpTo = Math.max(pruneUpTo, upTo);
      follower.tidy();
    },
    close() {
      void follower.close();
      opened.db.close();
    },
  };
}

function openFolds(file: string, views: readonly LazyView[], newest: number) {
  const db = openOrRemake(file, views, newest);
  const cursors = db.prepare<[], { seq: number }>("SELECT min(seq) AS seq FROM cursor");
  const advance = db.prepare("UPDATE cursor SET seq = ? WHERE seq < ?");
  const placeOf = db.prepare<[string], { seq: number }>("SELECT seq FROM cursor WHERE view = ?");
  const folds = views.map((view) => ({ name: view.name, fold: view.fold(db) }));
  const prunes = views.flatMap((view) => view.prune?.(db) ?? []);
  return {
    db,
    place: () => cursors.get()?.seq ?? 0,
    take: db.transaction((slice: readonly HubEvent[]) => {
      for (const { name, fold } of folds) {
        const from = placeOf.get(name)?.seq ?? 0;
        fold(from < (slice[0]?.seq ?? 0) ? slice : slice.filter(({ seq }) => seq > from));
      }
      const last = slice.at(-1)?.seq ?? 0;
      advance.run(last, last);
    }),
    prune: db.transaction((upTo: number) =>
      prunes.map((prune) => prune(upTo, PRUNE_ROWS)).some((removed) => removed > 0),
    ),
  };
}

/** Nothing here is worth saving: a file that cannot be used is removed and folded again. */
function openOrRemake(file: string, views: readonly LazyView[], newest: number): Database {
  try {
    return openFile(file, views, newest);
  } catch {
    removeFile(file);
    return openFile(file, views, newest);
  }
}

function removeFile(file: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
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
