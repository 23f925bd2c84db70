// Runs in a worker thread: adding to a full-text index costs ten times what folding does, and merging its parts now and
// then a tenth of a second. Plain JavaScript: a thread starts from a file that Node itself can load.
import { rmSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { openSqlite } from "../../journal/sqlite/open.js";

/** @typedef {import("./search-port.js").SearchAsk} SearchAsk */

const { file, version, newest } = /** @type {import("./search-port.js").SearchStart} */ (workerData);

const db = openOrRemake();
const place = db.prepare("SELECT seq FROM cursor").pluck();
const advance = db.prepare("UPDATE cursor SET seq = ?");
// Apart, so that neither is looked through for the other.
const tables = { messages: statementsOf("search"), turns: statementsOf("turn_search") };
const add = db.transaction((/** @type {Extract<SearchAsk, { kind: "add" }>} */ { rows, upTo }) => {
  for (const { seq, of, text, marks } of rows) tables[of].insert.run(seq, text, marks);
  advance.run(upTo);
});

parentPort?.on("message", (/** @type {{ id: number, ask: SearchAsk }} */ { id, ask }) => {
  try {
    parentPort?.postMessage({ id, seqs: answer(ask) });
  } catch (error) {
    parentPort?.postMessage({ id, problem: error instanceof Error ? error.message : String(error) });
  }
});

/** @param {SearchAsk} ask */
function answer(ask) {
  switch (ask.kind) {
    case "place":
      return [place.get()];
    case "add":
      add(ask);
      return [];
    case "find": {
      const { of, expression, after, before, limit } = ask;
      const { all, match } = tables[of];
      return expression === undefined
        ? all.all(after, before, limit)
        : match.all(expression, after, before, limit);
    }
    case "choose": {
      const { is } = tables[ask.of];
      return ask.seqs.filter((seq) => is.get(ask.expression, seq) !== undefined);
    }
    case "prune":
      return [
        Object.values(tables).reduce((sum, { remove }) => sum + remove.run(ask.upTo, ask.limit).changes, 0),
      ];
    case "close":
      db.close();
      parentPort?.close();
      return [];
    default:
      throw new Error("unknown question");
  }
}

/** @param {string} table */
function statementsOf(table) {
  // A driver may bind a number as one with a fraction, which the index does not compare with its own.
  const within = "rowid > CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ?";
  return {
    insert: db.prepare(`INSERT INTO ${table} (rowid, text, marks) VALUES (?, ?, ?)`),
    match: db.prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND ${within}`).pluck(),
    all: db.prepare(`SELECT rowid FROM ${table} WHERE ${within}`).pluck(),
    is: db
      .prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid = CAST(? AS INTEGER)`)
      .pluck(),
    remove: db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE rowid <= CAST(? AS INTEGER) ORDER BY rowid LIMIT ?)`,
    ),
  };
}

/** Nothing here is worth saving: a file that cannot be used, or that is not of this journal, is rebuilt. */
function openOrRemake() {
  try {
    const found = openFile();
    const row = /** @type {{ version: number, seq: number } | undefined} */ (
      found.prepare("SELECT version, seq FROM cursor").get()
    );
    if (row !== undefined && row.version === version && row.seq <= newest) return found;
    found.close();
  } catch {
    // Damaged, or not ours.
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const fresh = openFile();
  fresh.prepare("INSERT INTO cursor (version, seq) VALUES (?, 0)").run(version);
  return fresh;
}

function openFile() {
  const opened = openSqlite(file);
  try {
    opened.pragma("journal_mode = WAL");
    opened.pragma("synchronous = OFF");
    // The index alone is kept: a row's number is the message's, and its content stays in the journal.
    opened.exec(`
      CREATE TABLE IF NOT EXISTS cursor (version INTEGER NOT NULL, seq INTEGER NOT NULL);
      CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(
        text, marks, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");
      CREATE VIRTUAL TABLE IF NOT EXISTS turn_search USING fts5(
        text, marks, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");
    `);
    opened.prepare("SELECT rowid FROM search WHERE search MATCH 'b' LIMIT 1").get();
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}
