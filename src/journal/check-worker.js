// Reads the database of a hub that runs, table by table, and says what is damaged. Plain JavaScript, as every thread's
// file here. It may only read: a connection that could write would, closing last, change files that are no longer its own.
import { parentPort, workerData } from "node:worker_threads";
import { openSqlite } from "./sqlite/open.js";

parentPort?.postMessage(check(workerData.file, workerData.stop));

/** @param {string} file @param {Int32Array} stop @returns {string | null} */
function check(file, stop) {
  let db;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true });
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    for (const table of tables) {
      if (Atomics.load(stop, 0) !== 0) return null;
      const problem = db.pragma(`quick_check("${String(table)}")`, { simple: true });
      if (problem !== "ok") return String(problem).split("\n").at(-1) ?? "";
    }
    return null;
  } catch (error) {
    const isDamage =
      error instanceof Error && "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
    // Anything else is not the file's fault, and the hub itself meets it as well.
    return isDamage ? error.message : null;
  } finally {
    db?.close();
  }
}
