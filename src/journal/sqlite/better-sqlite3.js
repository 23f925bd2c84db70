// The driver of whoever installed better-sqlite3 beside Huddle, which never does. It is compiled, and a little faster.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { cleanText } from "./clean-text.js";
import { SqliteError } from "./sqlite-error.js";
import { createTransaction } from "./transaction.js";

/** @typedef {import("./port.js").Database} Database */

/**
 * What is used of it.
 * @typedef {object} NativeStatement
 * @property {(...params: unknown[]) => import("./port.js").RunResult} run
 * @property {(...params: unknown[]) => unknown} get
 * @property {(...params: unknown[]) => unknown[]} all
 * @property {(...params: unknown[]) => IterableIterator<unknown>} iterate
 * @property {() => NativeStatement} pluck
 * @property {() => NativeStatement} raw
 *
 * @typedef {object} Connection
 * @property {boolean} open
 * @property {boolean} inTransaction
 * @property {(sql: string) => NativeStatement} prepare
 * @property {(sql: string) => unknown} exec
 * @property {(source: string, options?: { simple: boolean }) => unknown} pragma
 * @property {(file: string, options: { progress: () => number }) => Promise<unknown>} backup
 * @property {() => unknown} close
 *
 * @typedef {new (file: string, options: import("./port.js").OpenOptions) => Connection} Package
 */

/** Pages of 4 KiB between two turns of the event loop: about a millisecond. */
const PAGES = 64;

/** The package as it is found from `folder`, or from Huddle's own installation. @param {string | undefined} folder */
export function findBetterSqlite3(folder) {
  const require = createRequire(
    folder === undefined ? import.meta.url : join(resolve(folder), "package.json"),
  );
  try {
    return require.resolve("better-sqlite3");
  } catch {
    return undefined;
  }
}

/** @param {string} place where `findBetterSqlite3` found it @returns {import("./port.js").Driver} */
export function loadBetterSqlite3(place) {
  /** @type {Package} */
  const Native = createRequire(import.meta.url)(place);
  new Native(":memory:", {}).close(); // It loads its binary no sooner.
  return {
    name: "better-sqlite3",
    open: (file, options = {}) => openConnection(Native, file, options),
  };
}

/** @param {Package} Native @param {string} file @param {import("./port.js").OpenOptions} options @returns {Database} */
function openConnection(Native, file, options) {
  const connection = explained(() => new Native(file, options));
  /** @type {Database} */
  const db = {
    name: file,
    get inTransaction() {
      return connection.inTransaction;
    },
    // Its type is the caller's word for what the SQL says.
    prepare: (sql) =>
      /** @type {never} */ (
        wrap(
          explained(() => connection.prepare(sql)),
          sql,
        )
      ),
    exec: (sql) => void explained(() => connection.exec(sql)),
    pragma: (source, pragmaOptions) => explained(() => connection.pragma(source, pragmaOptions)),
    transaction: (work) => createTransaction(db, work),
    async backup(target, isAhead) {
      try {
        await connection.backup(target, { progress: () => (isAhead() ? 1 : PAGES) });
      } catch (error) {
        throw explain(error);
      }
    },
    close: () => void connection.close(),
  };
  return db;
}

/** Where parameters have numbers (`?1`), it takes them by these, as if they were names. */
const NUMBERED = /\?[1-9]/;

/** @param {NativeStatement} native @param {string} sql */
function wrap(native, sql) {
  const isNumbered = NUMBERED.test(sql);
  /** @param {unknown[]} params @returns {unknown[]} */
  const toBind = (params) => {
    const clean = cleanText(params);
    return isNumbered ? [Object.fromEntries(clean.map((value, i) => [i + 1, value]))] : clean;
  };
  const statement = {
    run: (/** @type {unknown[]} */ ...params) => explained(() => native.run(...toBind(params))),
    get: (/** @type {unknown[]} */ ...params) => explained(() => native.get(...toBind(params))),
    all: (/** @type {unknown[]} */ ...params) => explained(() => native.all(...toBind(params))),
    /** @param {unknown[]} params @returns {Generator<unknown, void>} */
    *iterate(...params) {
      try {
        yield* native.iterate(...toBind(params));
      } catch (error) {
        throw explain(error);
      }
    },
    pluck() {
      native.pluck();
      return statement;
    },
    raw() {
      native.raw();
      return statement;
    },
  };
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
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  return error.code.startsWith("SQLITE_")
    ? new SqliteError(error.message, error.code, { cause: error })
    : error;
}
