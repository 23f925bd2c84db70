import { baselineSeq, loadBaseline } from "./baseline.js";
import { createEventStore } from "./event-store.js";
import { createFold, type View } from "./fold.js";
import type { Database } from "./sqlite/port.js";
import { markStored } from "./trailing.js";

const PAGE = 1000;
const FLAG = "rebuild_views";

/** A migration that changes the tight views sets this flag instead of rewriting rows by hand; so does a prune that is under way. */
export function needsRebuild(db: Database): boolean {
  return db.prepare("SELECT 1 FROM meta WHERE key = ?").get(FLAG) !== undefined;
}

/**
 * Empties the tight views and folds every event again, in one transaction: it is all there or as it was. What was pruned is
 * in the baseline, so it starts there.
 */
export function rebuildViews(
  db: Database,
  views: readonly View[],
  onProgress: (folded: number) => void = () => {},
): number {
  const store = createEventStore(db);
  const apply = createFold(views);
  return db.transaction(() => {
    for (const table of views.flatMap((view) => view.tables)) db.exec(`DELETE FROM "${table}"`);
    for (const view of views) view.forget?.();
    loadBaseline(db);
    let folded = 0;
    for (let after = baselineSeq(db); ; ) {
      const page = store.pageAfter(after, PAGE);
      for (const event of page) apply(event);
      storeAll(views);
      folded += page.length;
      const last = page.at(-1);
      markStored(db, last?.seq ?? after);
      if (last === undefined) break;
      after = last.seq;
      onProgress(folded);
    }
    requestRebuild(db, false);
    return folded;
  })();
}

/** Writes all that they keep in memory. */
export function storeAll(views: readonly View[]): void {
  for (const { settle, trails } of views) {
    settle?.();
    trails?.store();
  }
}

/** Asks for it at the next start, or takes that back. */
export function requestRebuild(db: Database, wanted: boolean): void {
  if (wanted) db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, '1')").run(FLAG);
  else db.prepare("DELETE FROM meta WHERE key = ?").run(FLAG);
}
