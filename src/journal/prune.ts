import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type BaselineRow,
  baselineSeq,
  putBaselineInForce,
  removeOldBaselines,
  writeBaselineRows,
} from "./baseline.js";
import type { EventStore } from "./event-store.js";
import type { View } from "./fold.js";
import { requestRebuild } from "./rebuild.js";
import { openScratchViews } from "./scratch-views.js";
import type { Bindable, Database } from "./sqlite/port.js";

/*
 * Deletes old events. It works a few rows at a time, between other commands, and always is in one of these steps:
 *
 *   fold     the tight views as they were at the last event to go are folded aside
 *   write    what of them has not ended is written as a new baseline, which is not yet in force
 *   switch   in one transaction the baseline comes into force, and a rebuild is asked for
 *   delete   rows of the tight views that have ended go, then the events, then the old baseline; nothing is asked for any more
 *
 * A hub that ends before the switch has done nothing; one that ends after it rebuilds its views from the new baseline when
 * it starts, and deletes the rest of the events then. Both ways the tight views are what a rebuild makes.
 */

const SLICE = 200;

export type Pruned = {
  events: number;
  first: number;
  /** Why not all that was asked for went: something is unfinished, or the newest event always stays. */
  keptBy: "unfinished" | "newest" | null;
};

type PrunePorts = {
  db: Database;
  events: Pick<EventStore, "firstSeq" | "lastSeq" | "seqBefore">;
  views: Record<string, View>;
  createViews: (db: Database) => Record<string, View>;
  /** Runs inside the next commit. */
  upkeep: (write: () => void) => Promise<void>;
};

export async function pruneBefore(ports: PrunePorts, wall: number): Promise<Pruned> {
  const { db, events } = ports;
  await ports.upkeep(() => {}); // What is kept in memory is stored: what is unfinished is looked for in the tables.
  const { upTo, keptBy } = lastToGo(ports, wall);
  const first = events.firstSeq();
  if (upTo < first) return { events: 0, first, keptBy };
  await makeBaseline(ports, upTo);
  const removed = await deleteEvents(ports);
  await inSlices(ports, () => removeOldBaselines(db, SLICE));
  return { events: removed, first: events.firstSeq(), keptBy };
}

/** Ends what a hub that stopped in the middle began. */
export async function finishPruning(ports: PrunePorts): Promise<void> {
  await deleteEvents(ports);
  await inSlices(ports, () => removeOldBaselines(ports.db, SLICE));
}

export function isPruningUnfinished({ db, events }: Pick<PrunePorts, "db" | "events">): boolean {
  const first = events.firstSeq();
  return first > 0 && first <= baselineSeq(db);
}

function lastToGo({ events, views }: PrunePorts, wall: number): { upTo: number; keptBy: Pruned["keptBy"] } {
  const wanted = events.seqBefore(wall);
  const needed = Math.min(
    ...Object.values(views).map((view) => view.oldestNeeded?.() ?? Number.POSITIVE_INFINITY),
  );
  // The newest event says what number and what hub time come next.
  const upTo = Math.min(wanted, needed - 1, events.lastSeq() - 1);
  if (upTo === wanted) return { upTo, keptBy: null };
  return { upTo, keptBy: upTo === needed - 1 ? "unfinished" : "newest" };
}

async function makeBaseline(ports: PrunePorts, upTo: number): Promise<void> {
  const { db, views, upkeep } = ports;
  const tables = Object.values(views).flatMap((view) => view.tables);
  const ended = Object.values(views).flatMap((view) => view.ended ?? []);
  const scratch = openScratchViews(db.name, tables, ports.createViews);
  try {
    await inSlices(ports, () => removeOldBaselines(db, SLICE));
    while (scratch.foldSome(upTo, SLICE)) await nextTurn();

    let n = 0;
    for (const table of tables) {
      const conditions = ended.filter((rows) => rows.table === table).map(({ where }) => `NOT (${where})`);
      const rest = scratch.db.prepare(`SELECT * FROM "${table}" WHERE ${["1", ...conditions].join(" AND ")}`);
      for (const rows of chunks(rest.iterate())) {
        const parts = rows.map((row): BaselineRow => ({ part: table, row: JSON.stringify(row) }));
        await upkeep(() => writeBaselineRows(db, upTo, n, parts));
        n += parts.length;
      }
    }
    await upkeep(() => {
      putBaselineInForce(db, upTo);
      requestRebuild(db, true);
    });
    for (const { table, where } of ended) {
      const keys = keyColumns(scratch.db, table);
      const gone = scratch.db
        .prepare<[], Bindable[]>(`SELECT ${keys.join(", ")} FROM "${table}" WHERE ${where}`)
        .raw();
      const remove = db.prepare(
        `DELETE FROM "${table}" WHERE (${keys.join(", ")}) = (${keys.map(() => "?").join(", ")})`,
      );
      for (const rows of chunks(gone.iterate())) {
        await upkeep(() => {
          for (const row of rows) remove.run(...row);
        });
      }
    }
    await upkeep(() => requestRebuild(db, false));
  } finally {
    scratch.close();
  }
}

async function deleteEvents(ports: PrunePorts): Promise<number> {
  const { db } = ports;
  const upTo = baselineSeq(db);
  const remove = db.prepare(
    "DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE seq <= ? ORDER BY seq LIMIT ?)",
  );
  return inSlices(ports, () => remove.run(upTo, SLICE).changes);
}

/** Repeats `work`, each time within a commit, until it has nothing left to do; answers with how much it did. */
async function inSlices({ upkeep }: PrunePorts, work: () => number): Promise<number> {
  let total = 0;
  for (let done = -1; done !== 0; ) {
    await upkeep(() => {
      done = work();
    });
    total += done;
    await nextTurn();
  }
  return total;
}

function keyColumns(db: Database, table: string): string[] {
  return db
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .pluck()
    .all(table)
    .map((name) => `"${name}"`);
}

function* chunks<T>(rows: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < SLICE) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
