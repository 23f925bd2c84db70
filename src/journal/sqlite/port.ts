/*
 * What Huddle needs of an SQLite driver. There are two of one shape: `photostructure.js`, which comes prebuilt, and
 * `better-sqlite3.js`, for whoever installed that one. The contract suite in `test/contract/sqlite.ts` runs over both.
 *
 * A driver MUST throw `SqliteError` for whatever SQLite refuses, and MUST store text whole: a NUL, which SQLite's text would
 * end at, and a lone surrogate, which UTF-8 does not have, become U+FFFD. It MUST refuse to bind `undefined`.
 */

export type Bindable = string | number | bigint | null | Uint8Array;

/** By position, or one object of names. */
type Binding = Bindable | Readonly<Record<string, Bindable>>;

export type RunResult = { changes: number; lastInsertRowid: number | bigint };

type Statement<P extends readonly unknown[] = Binding[], R = unknown> = {
  run(...params: P): RunResult;
  get(...params: P): R | undefined;
  /** Rows are plain objects. An integer beyond 2^53 is refused or rounded: Huddle stores none. */
  all(...params: P): R[];
  /** Nothing else may use this statement until it has ended. */
  iterate(...params: P): IterableIterator<R>;
  /** From now on rows are the value of their first column. */
  pluck(): Statement<P, R>;
  /** From now on rows are arrays of values. */
  raw(): Statement<P, R>;
};

/** Runs in a transaction, which is rolled back if it throws. It cannot be nested. */
export type Transaction<A extends readonly unknown[], R> = {
  (...args: A): R;
  /** The same, taking the write lock first. */
  immediate(...args: A): R;
};

export type Database = {
  /** The file. */
  readonly name: string;
  /** False too after SQLite rolled back by itself, as it does on a full disk. */
  readonly inTransaction: boolean;
  prepare<P extends readonly unknown[] = Binding[], R = unknown>(sql: string): Statement<P, R>;
  exec(sql: string): void;
  /** The rows of a PRAGMA, or with `simple` the first value of the first row. */
  pragma(source: string, options?: { simple: boolean }): unknown;
  transaction<A extends readonly unknown[], R>(work: (...args: A) => R): Transaction<A, R>;
  /**
   * Copies the database into a new file while statements go on. The copy is as of one moment of the call. `isAhead` is asked
   * now and then, by a driver that copies in this thread: true slows it down.
   */
  backup(file: string, isAhead: () => boolean): Promise<void>;
  /** Ends an open transaction and gives up all locks. What the write-ahead log holds is in the file afterwards. Never throws. */
  close(): void;
};

export type OpenOptions = {
  readonly?: boolean;
  fileMustExist?: boolean;
  /** How long a lock of another connection is waited for. */
  timeout?: number;
};

export type Driver = {
  readonly name: string;
  open(file: string, options?: OpenOptions): Database;
};
