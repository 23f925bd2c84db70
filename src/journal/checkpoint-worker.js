// Runs in a worker thread, so that copying the WAL into the database never stalls an answer.
// Plain JavaScript: a thread starts from a file that Node itself can load, from the sources and from dist alike.
import { parentPort, workerData } from "node:worker_threads";
import { openSqlite } from "./sqlite/open.js";

const db = open(workerData.file);
if (process.platform === "darwin") db.pragma("fullfsync = 1");

parentPort?.on("message", (/** @type {"PASSIVE" | "RESTART" | "TRUNCATE" | "CLOSE"} */ mode) => {
  if (mode === "CLOSE") {
    db.close();
    parentPort?.close();
    return;
  }
  try {
    // The flush stands still for a restart, which is worth no waiting: the next one does as well.
    db.pragma(`busy_timeout = ${mode === "TRUNCATE" ? 2000 : 0}`);
    const [result] = /** @type {{ busy: number }[]} */ (db.pragma(`wal_checkpoint(${mode})`));
    // SQLite throws nothing when it gave up waiting.
    const isCut = mode !== "TRUNCATE" || result?.busy === 0;
    parentPort?.postMessage(isCut ? null : "the write-ahead log is in use by another process");
  } catch (error) {
    parentPort?.postMessage(error instanceof Error ? error.message : String(error));
  }
});

/** @param {string} file */
function open(file) {
  try {
    return openSqlite(file);
  } catch (error) {
    // SQLite's own error class loses its message on the way to the other thread.
    throw new Error(error instanceof Error ? error.message : String(error));
  }
}
