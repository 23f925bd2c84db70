// Plain JavaScript, as all that a worker thread loads: a thread starts from a file that Node itself can load.

/** What SQLite refused. `code` is its extended result code by name, such as SQLITE_IOERR_FSYNC. */
export class SqliteError extends Error {
  /** @param {string} message @param {string} code @param {ErrorOptions} [options] */
  constructor(message, code, options) {
    super(message, options);
    this.name = "SqliteError";
    this.code = code;
  }
}

/** The name of an SQLite result code; of one that is unknown, the name of its kind. @param {number} number */
export function codeName(number) {
  return names.get(number) ?? names.get(number & 0xff) ?? "SQLITE_ERROR";
}

/**
 * The code of an error that came without one, by SQLite's own text for it.
 * @param {string} message
 */
export function codeOfMessage(message) {
  return texts.find(([text]) => message.startsWith(text))?.[1] ?? "SQLITE_ERROR";
}

/** @type {readonly (readonly [string, string])[]} */
const texts = [
  ["access permission denied", "SQLITE_PERM"],
  ["database is locked", "SQLITE_BUSY"],
  ["database table is locked", "SQLITE_LOCKED"],
  ["out of memory", "SQLITE_NOMEM"],
  ["attempt to write a readonly database", "SQLITE_READONLY"],
  ["interrupted", "SQLITE_INTERRUPT"],
  ["disk I/O error", "SQLITE_IOERR"],
  ["database disk image is malformed", "SQLITE_CORRUPT"],
  ["malformed database schema", "SQLITE_CORRUPT"],
  ["database or disk is full", "SQLITE_FULL"],
  ["unable to open database file", "SQLITE_CANTOPEN"],
  ["locking protocol", "SQLITE_PROTOCOL"],
  ["database schema has changed", "SQLITE_SCHEMA"],
  ["string or blob too big", "SQLITE_TOOBIG"],
  ["datatype mismatch", "SQLITE_MISMATCH"],
  ["bad parameter or other API misuse", "SQLITE_MISUSE"],
  ["column index out of range", "SQLITE_RANGE"],
  ["file is not a database", "SQLITE_NOTADB"],
];

/** From sqlite3.h: the kinds in order of their numbers, then each one's extended codes from 1 on. */
const kinds =
  "OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY " +
  "SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING";

/** @type {Record<string, string>} */
const extended = {
  ERROR: "MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE",
  ABORT: "- ROLLBACK",
  BUSY: "RECOVERY SNAPSHOT TIMEOUT",
  LOCKED: "SHAREDCACHE VTAB",
  READONLY: "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
  IOERR:
    "READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK LOCK " +
    "CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC " +
    "COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE BADKEY CODEC",
  CORRUPT: "VTAB SEQUENCE INDEX",
  CANTOPEN: "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK",
  CONSTRAINT:
    "CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE",
};

const names = new Map(
  kinds.split(" ").flatMap((kind, number) => {
    const more = (extended[kind] ?? "").split(" ").filter((name) => name !== "");
    return [
      /** @type {[number, string]} */ ([number, `SQLITE_${kind}`]),
      ...more.map(
        (name, i) => /** @type {[number, string]} */ ([number + 256 * (i + 1), `SQLITE_${kind}_${name}`]),
      ),
    ];
  }),
);
