// The default driver: node:sqlite's interface on Node-API, its binaries inside the package. It differs from what the port
// promises in ways that are made up for here:
//
// - Its statements end only with the garbage collector, and until then SQLite keeps a closed connection half alive. So
//   closing gives up the lock, empties the write-ahead log and lets go of every statement. The empty log goes with the
//   last of them, or with the process.
// - A statement points at its connection, and a walk through rows at its statement, without holding it: ours hold all
//   three. Otherwise the garbage collector frees what is still in use.
// - `all` says what failed, but not SQLite's code for it: that is found by the text.
// - Rows as arrays cost two thirds of rows as objects, so the objects are made here.
// - A backup on the connection that writes would stop it for half a second at a time: it gets one of its own.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { cleanText } from "./clean-text.js";
import { codeName, codeOfMessage, SqliteError } from "./sqlite-error.js";
import { createTransaction } from "./transaction.js";

/** @typedef {import("./port.js").Database} Database */
/** @typedef {typeof import("@photostructure/sqlite")} Package */
/** @typedef {import("@photostructure/sqlite").DatabaseSyncInstance} Connection */
/** @typedef {import("@photostructure/sqlite").StatementSyncInstance} NativeStatement */

const TIMEOUT_MS = 5000;

/** @returns {import("./port.js").Driver} */
export function loadPhotostructure() {
  /** @type {Package} */
  const sqlite = createRequire(import.meta.url)("@photostructure/sqlite");
  return {
    name: "@photostructure/sqlite",
    open: (file, options = {}) => openConnection(sqlite, file, options),
  };
}

/** @param {Package} sqlite @param {string} file @param {import("./port.js").OpenOptions} options @returns {Database} */
function openConnection(sqlite, file, { readonly = false, fileMustExist = false, timeout = TIMEOUT_MS }) {
  if (fileMustExist && !existsSync(file))
    throw new SqliteError("unable to open database file", "SQLITE_CANTOPEN");
  const connection = explained(() => new sqlite.DatabaseSync(file, { readOnly: readonly, timeout }));

  /** By their SQL: a statement keeps nothing from one call to the next. @type {Map<string, Prepared>} */
  const statements = new Map();

  /** @param {string} sql */
  const exec = (sql) => explained(() => connection.exec(sql));

  /** @param {string} sql */
  function prepareOnce(sql) {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const prepared = prepareNow(connection, sql);
    statements.set(sql, prepared);
    return prepared;
  }

  /** @type {Database} */
  const db = {
    name: file,
    get inTransaction() {
      return connection.isOpen && connection.isTransaction;
    },
    // Its type is the caller's word for what the SQL says.
    prepare: (sql) => /** @type {never} */ (new PreparedStatement(prepareOnce(sql))),
    exec,
    pragma(source, options) {
      const statement = new PreparedStatement(prepareNow(connection, `PRAGMA ${source}`));
      return options?.simple === true ? statement.pluck().get() : statement.all();
    },
    transaction: (work) => createTransaction(db, work),
    backup: (target) => copyInto(sqlite, file, target, () => connection.isOpen),
    close() {
      if (!connection.isOpen) return;
      if (db.inTransaction) exec("ROLLBACK");
      if (!readonly) emptyLog(connection);
      connection.close();
      for (const prepared of statements.values()) prepared.statement = undefined;
      statements.clear();
    },
  };
  return db;
}

/** As SQLite does when the last connection closes: what fails then, the next one makes good. @param {Connection} connection */
function emptyLog(connection) {
  try {
    connection.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // A full disk, or a file that is no database.
  }
}

/**
 * In one step, so that no commit makes it start over; the log cannot be cut meanwhile.
 * @param {Package} sqlite @param {string} file @param {string} target @param {() => boolean} isOpen
 */
async function copyInto(sqlite, file, target, isOpen) {
  const reader = explained(() => new sqlite.DatabaseSync(file, { timeout: TIMEOUT_MS }));
  try {
    await sqlite.backup(reader, target, { rate: -1 });
    if (!isOpen()) throw new SqliteError("the database was closed while it was copied", "SQLITE_ABORT");
  } catch (error) {
    throw explain(error);
  } finally {
    reader.close();
  }
}

/** @typedef {{ connection: Connection, sql: string, statement: NativeStatement | undefined }} Prepared */

/** @param {Connection} connection @param {string} sql @returns {Prepared} */
function prepareNow(connection, sql) {
  return {
    connection,
    sql,
    statement: explained(() => connection.prepare(sql, { returnArrays: true })),
  };
}

class PreparedStatement {
  #prepared;
  /** @type {"object" | "value" | "array"} */
  #rows = "object";
  /** @type {string[]} */
  #columns = [];

  /** @param {Prepared} prepared */
  constructor(prepared) {
    this.#prepared = prepared;
  }

  /** @param {unknown[]} params */
  run(...params) {
    try {
      return opened(this.#prepared).run(...cleanText(params));
    } catch (error) {
      throw explain(error);
    }
  }

  /** @param {unknown[]} params @returns {unknown} */
  get(...params) {
    try {
      /** @type {unknown[] | undefined} */
      const row = opened(this.#prepared).get(...cleanText(params));
      return row === undefined ? undefined : this.#toRow(row);
    } catch (error) {
      throw explain(error);
    }
  }

  /** @param {unknown[]} params @returns {unknown[]} */
  all(...params) {
    try {
      /** @type {unknown[][]} */
      const rows = opened(this.#prepared).all(...cleanText(params));
      if (this.#rows === "array") return rows;
      /** @type {unknown[]} */
      const made = rows;
      for (let i = 0; i < rows.length; i++) made[i] = this.#toRow(rows[i] ?? []);
      return made;
    } catch (error) {
      throw explain(error);
    }
  }

  /** With a statement of its own, which others do not reset meanwhile. @param {unknown[]} params @returns {Generator<unknown, void>} */
  *iterate(...params) {
    opened(this.#prepared);
    const own = prepareNow(this.#prepared.connection, this.#prepared.sql);
    try {
      for (const row of opened(own).iterate(...cleanText(params))) yield this.#toRow(row);
    } catch (error) {
      throw explain(error);
    } finally {
      own.statement = undefined; // Not before: optimized code would let go of it once the walk has begun.
    }
  }

  pluck() {
    this.#rows = "value";
    return this;
  }

  raw() {
    this.#rows = "array";
    return this;
  }

  /** @param {unknown[]} values @returns {unknown} */
  #toRow(values) {
    if (this.#rows === "value") return values[0];
    if (this.#rows === "array") return values;
    // SQLite prepares `SELECT *` again when a column was added.
    if (this.#columns.length !== values.length) {
      this.#columns = opened(this.#prepared)
        .columns()
        .map(({ name }) => name);
    }
    const columns = this.#columns;
    /** @type {Record<string, unknown>} */
    const row = {};
    for (let i = 0; i < columns.length; i++) row[/** @type {string} */ (columns[i])] = values[i];
    return row;
  }
}

/** @param {Prepared} prepared @returns {NativeStatement} */
function opened({ statement }) {
  if (statement === undefined) throw new TypeError("The database connection is not open");
  return statement;
}

/** @template T @param {() => T} act @returns {T} */
function explained(act) {
  try {
    return act();
  } catch (error) {
    throw explain(error);
  }
}

/** @param {unknown} error @returns {unknown} */
function explain(error) {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return error;
  const number =
    "sqliteExtendedCode" in error ? error.sqliteExtendedCode : "errcode" in error ? error.errcode : undefined;
  const code = typeof number === "number" && number !== 0 ? codeName(number) : codeOfMessage(error.message);
  return new SqliteError(error.message.replace("Failed to open database: ", ""), code, { cause: error });
}
