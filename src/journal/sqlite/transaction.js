/**
 * @template {readonly unknown[]} A
 * @template R
 * @param {Pick<import("./port.js").Database, "exec" | "inTransaction">} db
 * @param {(...args: A) => R} work
 * @returns {import("./port.js").Transaction<A, R>}
 */
export function createTransaction(db, work) {
  /** @param {"BEGIN" | "BEGIN IMMEDIATE"} begin @param {A} args */
  function run(begin, args) {
    db.exec(begin);
    try {
      const result = work(...args);
      db.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite may have done so by itself.
      if (db.inTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
  return Object.assign((/** @type {A} */ ...args) => run("BEGIN", args), {
    immediate: (/** @type {A} */ ...args) => run("BEGIN IMMEDIATE", args),
  });
}
