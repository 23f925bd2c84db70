import type { EventStore } from "./event-store.js";
import { createFold, type View } from "./fold.js";
import type { Database } from "./sqlite/port.js";

/*
 * Some tight views would change a page of their own in every commit, for nothing but the next start. They are kept in
 * memory and stored every few events, together with the number of the last one that they hold. What came after that is
 * folded again when the hub starts, and when a batch was rolled back: the journal is the truth.
 */

type Trailing = {
  /** Within a transaction: stores them, when that is due, as they are after the event `upTo`. */
  storeWhenDue(upTo: number): void;
  storeNow(upTo: number): void;
  /** Makes them what their rows and the events after those say. */
  reload(): void;
};

const KEY = "trailing";
const EVENTS = 1000;
/** A broadcast changes thousands of rows by itself. */
const ROWS = 20_000;
const PAGE = 500;

export function createTrailing(
  db: Database,
  events: Pick<EventStore, "pageAfter">,
  views: readonly View[],
): Trailing {
  const trailing = views.filter(({ trails }) => trails !== undefined);
  const apply = createFold(trailing);
  let stored = storedUpTo(db);

  function storeNow(upTo: number) {
    for (const { trails } of trailing) trails?.store();
    markStored(db, upTo);
    stored = upTo;
  }

  return {
    storeNow,
    storeWhenDue(upTo) {
      const rows = () => trailing.reduce((sum, { trails }) => sum + (trails?.unstored() ?? 0), 0);
      if (upTo - stored >= EVENTS || rows() >= ROWS) storeNow(upTo);
    },
    reload() {
      for (const view of trailing) view.forget?.();
      stored = storedUpTo(db);
      for (let after = stored; ; ) {
        const page = events.pageAfter(after, PAGE);
        for (const event of page) apply(event);
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.seq;
      }
    },
  };
}

/** Says that the rows of all views are as of this event. */
export function markStored(db: Database, upTo: number): void {
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(KEY, String(upTo));
}

function storedUpTo(db: Database): number {
  const row = db.prepare<[string], { value: string }>("SELECT value FROM meta WHERE key = ?").get(KEY);
  return Number(row?.value ?? 0);
}
