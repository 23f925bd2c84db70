// Reads a copy of the database whole and says whether it is sound. Plain JavaScript, as every thread's file here.
import { parentPort, workerData } from "node:worker_threads";
import { openSqlite } from "./sqlite/open.js";

parentPort?.postMessage(verify(workerData.file));

/** @param {string} file */
function verify(file) {
  try {
    const db = openSqlite(file, { fileMustExist: true });
    try {
      // One file, without a write-ahead log beside it, is easier to keep; the hub that opens it turns it on again.
      db.pragma("journal_mode = DELETE");
      const problem = db.pragma("integrity_check(1)", { simple: true });
      if (problem !== "ok") return { problem: String(problem) };
      return db.prepare("SELECT count(*) AS events, coalesce(max(seq), 0) AS seq FROM event").get();
    } finally {
      db.close();
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
