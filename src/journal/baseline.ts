import type { Bindable, Database } from "./sqlite/port.js";

/*
 * A baseline is the rows of the tight views at one event. It is written a few rows at a time under its own number, then
 * put in force by one row in `meta`: until then the one before it holds.
 */

const KEY = "baseline";

export type BaselineRow = { part: string; row: string };

/** The last event that the baseline in force holds; 0 when nothing was ever pruned. */
export function baselineSeq(db: Database): number {
  const row = db.prepare<[string], { value: string }>("SELECT value FROM meta WHERE key = ?").get(KEY);
  return Number(row?.value ?? 0);
}

export function putBaselineInForce(db: Database, seq: number): void {
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(KEY, String(seq));
}

export function writeBaselineRows(
  db: Database,
  seq: number,
  from: number,
  rows: readonly BaselineRow[],
): void {
  const insert = db.prepare("INSERT INTO baseline (seq, n, part, row) VALUES (?, ?, ?, ?)");
  rows.forEach(({ part, row }, i) => {
    insert.run(seq, from + i, part, row);
  });
}

/** Removes at most `limit` rows of baselines that are not in force, and says how many. */
export function removeOldBaselines(db: Database, limit: number): number {
  return db
    .prepare(
      "DELETE FROM baseline WHERE (seq, n) IN (SELECT seq, n FROM baseline WHERE seq <> ? ORDER BY seq, n LIMIT ?)",
    )
    .run(baselineSeq(db), limit).changes;
}

/** Puts the rows of the baseline in force into their tables, which are empty. */
export function loadBaseline(db: Database): void {
  const page = db.prepare<[number, number, number], BaselineRow & { n: number }>(
    "SELECT n, part, row FROM baseline WHERE seq = ? AND n > ? ORDER BY n LIMIT ?",
  );
  const seq = baselineSeq(db);
  for (let after = -1; ; ) {
    const rows = page.all(seq, after, 1000);
    for (const { part, row } of rows) insertRow(db, part, row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.n;
  }
}

function insertRow(db: Database, table: string, json: string): void {
  const stored: unknown = JSON.parse(json);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by `prune`, from a row of that table
  const columns = stored as Record<string, Bindable>;
  const entries = Object.entries(columns);
  const names = entries.map(([name]) => `"${name}"`).join(", ");
  const slots = entries.map(() => "?").join(", ");
  db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${slots})`).run(...entries.map(([, value]) => value));
}
