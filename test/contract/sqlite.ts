import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database, Driver, OpenOptions } from "../../src/journal/sqlite/port.js";
import { SqliteError } from "../../src/journal/sqlite/sqlite-error.js";
import { letGoOfClosedFiles } from "../fakes/let-go.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { backupContract } from "./sqlite-backup.js";

/* What Huddle relies on of an SQLite driver, as src/journal/sqlite/port.ts promises it. */

export type DriverUnderTest = { driver: Driver; env: Record<string, string> };

export function sqliteContract({ driver, env }: DriverUnderTest): void {
  const newFile = () => join(tempFolder(), "test.db");

  function open(file = newFile(), options?: OpenOptions): Database {
    const db = driver.open(file, options);
    onTestFinished(() => db.close());
    return db;
  }

  function openWal(file = newFile()): Database {
    const db = open(file);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.exec("CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b)");
    return db;
  }

  const codeOf = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      if (error instanceof SqliteError) return error.code;
      throw error;
    }
    throw new Error("it was not refused");
  };

  describe("rows and values", () => {
    test("a row is a plain object, undefined when there is none", () => {
      const db = openWal();
      db.prepare("INSERT INTO t (a, b) VALUES (?, ?)").run(1, "x");
      const row = db.prepare("SELECT a, b FROM t WHERE a = ?");

      expect(row.get(1)).toStrictEqual({ a: 1, b: "x" });
      expect(row.get(2)).toBeUndefined();
      expect(db.prepare("SELECT a, b FROM t").all()).toStrictEqual([{ a: 1, b: "x" }]);
      expect(db.prepare("SELECT b, a FROM t").raw().all()).toEqual([["x", 1]]);
      expect(db.prepare("SELECT b, a FROM t").pluck().get()).toBe("x");
      expect([...db.prepare("SELECT a FROM t").pluck().iterate()]).toEqual([1]);
    });

    test("parameters have numbers where one is used twice, or in another order", () => {
      const db = openWal();
      db.prepare("INSERT INTO t (a, b) VALUES (?2, ?1)").run("x", 1);
      const row = db.prepare<[number, string], { a: number }>(
        "SELECT a FROM t WHERE (a = ?1 OR a = ?1 + 1) AND b = ?2",
      );

      expect(row.get(0, "x")).toEqual({ a: 1 });
      expect(row.all(1, "x")).toEqual([{ a: 1 }]);
      expect([...row.iterate(1, "y")]).toEqual([]);
    });

    test("two statements of the same words do not know of each other", () => {
      const db = openWal();
      db.exec("INSERT INTO t (b) VALUES ('x'), ('y'), ('z')");
      const sql = "SELECT b FROM t ORDER BY a";
      const [values, rows] = [db.prepare(sql).pluck(), db.prepare(sql)];
      const seen: unknown[] = [];

      for (const value of values.iterate()) seen.push(value, rows.all().length);

      expect(seen).toEqual(["x", 3, "y", 3, "z", 3]);
      expect(rows.get()).toEqual({ b: "x" });
    });

    test("rows can be walked through over many turns of the event loop, whatever is collected as garbage meanwhile", async () => {
      const db = open();
      db.exec(
        "CREATE TABLE t (a); INSERT INTO t WITH RECURSIVE n(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n LIMIT 20000",
      );
      const values = db.prepare<[], number>("SELECT a FROM t").pluck();
      let warm = 0;
      // Optimized code holds nothing that it does not need any more.
      for (let round = 0; round < 20; round++) for (const value of values.iterate()) warm += value;
      let seen = 0;

      for (const value of values.iterate()) {
        expect(value).toBe(seen++);
        if (seen % 2000 === 0) await letGoOfClosedFiles();
      }

      expect(seen).toBe(20_000);
      expect(warm).toBe((20 * 20_000 * 19_999) / 2);
    });

    test("`SELECT *` knows a column that came later", () => {
      const db = openWal();
      db.exec("INSERT INTO t (b) VALUES (1)");
      const row = db.prepare("SELECT * FROM t");
      expect(row.get()).toEqual({ a: 1, b: 1 });
      db.exec("ALTER TABLE t ADD COLUMN c DEFAULT 'new'");
      expect(row.get()).toEqual({ a: 1, b: 1, c: "new" });
    });

    test.each([
      ["text", "grüße 🙂"],
      ["a safe integer", Number.MAX_SAFE_INTEGER],
      ["a negative one", -Number.MAX_SAFE_INTEGER],
      ["a time in milliseconds", 1_763_000_000_123],
      ["a fraction", 0.1],
      ["null", null],
      ["empty text", ""],
    ])("%s comes back as it was", (_, value) => {
      const db = openWal();
      db.prepare("INSERT INTO t (b) VALUES (?)").run(value);
      expect(db.prepare("SELECT b FROM t").pluck().get()).toBe(value);
    });

    test("a bigint is stored exactly; read as a number, one beyond 2^53 is refused or rounded, and never a bigint", () => {
      const db = openWal();
      db.prepare("INSERT INTO t (a, b) VALUES (?, ?)").run(1, 2n ** 53n + 1n);
      expect(db.prepare("SELECT CAST(b AS TEXT) FROM t").pluck().get()).toBe("9007199254740993");
      let read: unknown = 2 ** 53;
      try {
        read = db.prepare("SELECT b FROM t").pluck().get();
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      expect(read).toBe(2 ** 53);
    });

    test("bytes come back as bytes", () => {
      const db = openWal();
      db.prepare("INSERT INTO t (b) VALUES (?)").run(new Uint8Array([0, 1, 255]));
      const read = db.prepare("SELECT b FROM t").pluck().get();
      expect(read instanceof Uint8Array && [...read]).toEqual([0, 1, 255]);
    });

    test("undefined is refused, by position and by name", () => {
      const db = openWal();
      const never: never[] = [];
      const nothing = never[0] as unknown as null;
      expect(() => db.prepare("INSERT INTO t (b) VALUES (?)").run(nothing)).toThrow(TypeError);
      expect(() => db.prepare("INSERT INTO t (b) VALUES (@b)").run({ b: nothing })).toThrow(TypeError);
    });

    test("text is never cut: a NUL and a lone surrogate are stored as U+FFFD, and found by the same text", () => {
      const db = openWal();
      const text = "a\0b\uD800c";
      db.prepare("INSERT INTO t (b) VALUES (?)").run(text);
      expect(db.prepare("SELECT b FROM t").pluck().get()).toMatch(/^a\uFFFDb\uFFFD+c$/);
      expect(db.prepare("SELECT count(*) FROM t WHERE b = ?").pluck().get(text)).toBe(1);
      expect(db.prepare("SELECT count(*) FROM t WHERE b = @text").pluck().get({ text })).toBe(1);
    });

    test("parameters have names", () => {
      const db = openWal();
      db.prepare("INSERT INTO t (a, b) VALUES (@a, @b)").run({ a: 7, b: "x" });
      expect(db.prepare("SELECT b FROM t WHERE a = @a").get({ a: 7 })).toEqual({ b: "x" });
    });

    test("a write says how many rows it changed, and the last one's number", () => {
      const db = openWal();
      expect(db.prepare("INSERT INTO t (b) VALUES (1), (2)").run()).toEqual({
        changes: 2,
        lastInsertRowid: 2,
      });
      expect(db.prepare("DELETE FROM t").run().changes).toBe(2);
    });

    test("a PRAGMA answers with rows, or simply", () => {
      const db = openWal();
      expect(db.pragma("user_version")).toStrictEqual([{ user_version: 0 }]);
      expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
      expect(db.pragma("synchronous", { simple: true })).toBe(2);
      expect(db.pragma("integrity_check(1)", { simple: true })).toBe("ok");
      expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
    });
  });

  describe("transactions", () => {
    test("what is thrown undoes it, and is thrown on", () => {
      const db = openWal();
      const insert = db.prepare("INSERT INTO t (b) VALUES (?)");
      const work = db.transaction((value: string, fails: boolean) => {
        insert.run(value);
        if (fails) throw new Error("no");
        return value.length;
      });

      expect(work("kept", false)).toBe(4);
      expect(() => work("gone", true)).toThrow("no");
      expect(() => work.immediate("gone", true)).toThrow("no");
      expect(db.inTransaction).toBe(false);
      expect(db.prepare("SELECT b FROM t").pluck().all()).toEqual(["kept"]);
    });

    test("a full disk is SQLITE_FULL, and SQLite's own rollback shows", () => {
      const db = openWal();
      db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 20}`);
      const insert = db.prepare("INSERT INTO t (b) VALUES (?)");
      db.exec("BEGIN IMMEDIATE");
      expect(db.inTransaction).toBe(true);

      expect(codeOf(() => insert.run("x".repeat(200_000)))).toBe("SQLITE_FULL");

      expect(db.inTransaction).toBe(false);
      insert.run("there is room for this");
    });

    test("a transaction is not begun within another", () => {
      const db = openWal();
      const inner = db.transaction(() => 1);
      expect(codeOf(() => db.transaction(() => inner())())).toBe("SQLITE_ERROR");
      expect(db.inTransaction).toBe(false);
    });
  });

  describe("locks", () => {
    test("a writer keeps others out and lets readers in, and closing frees the lock", () => {
      const file = newFile();
      const holder = open(file, { timeout: 0 });
      holder.exec("CREATE TABLE t (a)");
      const other = open(file, { timeout: 0 });
      holder.exec("BEGIN IMMEDIATE");
      holder.prepare("SELECT a FROM t").all();

      expect(codeOf(() => other.exec("BEGIN IMMEDIATE"))).toBe("SQLITE_BUSY");
      expect(codeOf(() => other.prepare("INSERT INTO t VALUES (1)").run())).toBe("SQLITE_BUSY");
      expect(other.prepare("SELECT a FROM t").all()).toEqual([]);
      holder.close();

      other.exec("BEGIN EXCLUSIVE");
      other.exec("ROLLBACK");
    });

    test("a lock lives as long as its connection is held, whatever the garbage collector does", async () => {
      const file = newFile();
      const holder = open(file, { timeout: 0 });
      holder.exec("CREATE TABLE t (a); BEGIN IMMEDIATE");
      await letGoOfClosedFiles();
      expect(codeOf(() => open(file, { timeout: 0 }).exec("BEGIN IMMEDIATE"))).toBe("SQLITE_BUSY");
      expect(holder.inTransaction).toBe(true);
    });

    test("a snapshot that was overtaken cannot write", () => {
      const file = newFile();
      const [late, first] = [openWal(file), openWal(file)];
      late.exec("BEGIN");
      late.prepare("SELECT * FROM t").all();
      first.exec("INSERT INTO t (b) VALUES (1)");

      expect(codeOf(() => late.prepare("INSERT INTO t (b) VALUES (2)").run())).toBe("SQLITE_BUSY_SNAPSHOT");
    });
  });

  describe("refusals", () => {
    test("what is not there, not writable, or no database has its code", () => {
      const file = newFile();
      expect(codeOf(() => driver.open(file, { fileMustExist: true }))).toBe("SQLITE_CANTOPEN");
      expect(existsSync(file)).toBe(false);
      expect(codeOf(() => driver.open(file, { readonly: true }))).toBe("SQLITE_CANTOPEN");

      openWal(file);
      const reader = open(file, { readonly: true });
      expect(codeOf(() => reader.prepare("INSERT INTO t (b) VALUES (1)").run())).toBe("SQLITE_READONLY");

      const text = newFile();
      writeFileSync(text, "this is not a database".repeat(100));
      const db = open(text);
      expect(codeOf(() => db.prepare("SELECT * FROM sqlite_schema").all())).toBe("SQLITE_NOTADB");
      expect(codeOf(() => db.pragma("journal_mode = WAL"))).toBe("SQLITE_NOTADB");
      expect(codeOf(() => db.exec("CREATE TABLE t (a)"))).toBe("SQLITE_NOTADB");
    });

    test("damage is SQLITE_CORRUPT, however the rows are asked for", async () => {
      const file = newFile();
      const whole = openWal(file);
      const insert = whole.prepare("INSERT INTO t (b) VALUES (?)");
      for (let i = 0; i < 200; i++) insert.run("x".repeat(1000));
      whole.close();
      await letGoOfClosedFiles();
      writeFileSync(file, readFileSync(file).fill(0xa5, 3 * 4096));
      const db = open(file);
      const all = db.prepare("SELECT b FROM t ORDER BY b");

      expect(codeOf(() => all.get())).toMatch(/^SQLITE_CORRUPT/);
      expect(codeOf(() => all.all())).toMatch(/^SQLITE_CORRUPT/);
      expect(codeOf(() => [...all.iterate()])).toMatch(/^SQLITE_CORRUPT/);
      expect(db.pragma("integrity_check(1)", { simple: true })).not.toBe("ok");
    });

    test("extended codes have their names", () => {
      const db = openWal();
      db.exec("INSERT INTO t (a) VALUES (1)");
      expect(codeOf(() => db.prepare("INSERT INTO t (a) VALUES (1)").run())).toBe(
        "SQLITE_CONSTRAINT_PRIMARYKEY",
      );
      expect(codeOf(() => db.exec("INSERT INTO t (a) VALUES (1)"))).toBe("SQLITE_CONSTRAINT_PRIMARYKEY");
      expect(codeOf(() => db.prepare("no such thing"))).toBe("SQLITE_ERROR");
    });
  });

  describe("closing", () => {
    test("the log is in the file afterwards, and closing again is nothing", () => {
      const file = newFile();
      const db = openWal(file);
      const insert = db.prepare("INSERT INTO t (b) VALUES (?)");
      insert.run("kept");
      db.close();
      db.close();

      const wal = `${file}-wal`;
      expect(existsSync(wal) ? readFileSync(wal).length : 0).toBe(0);
      expect(() => insert.run("late")).toThrow();
      const copy = newFile();
      writeFileSync(copy, readFileSync(file));
      expect(open(copy).prepare("SELECT b FROM t").pluck().get()).toBe("kept");
    });

    test("its statements end with it: nothing is left beside the file", async () => {
      const file = newFile();
      const db = openWal(file);
      const insert = db.prepare("INSERT INTO t (b) VALUES (?)");
      insert.run("kept");
      db.close();
      await letGoOfClosedFiles();

      expect(existsSync(`${file}-wal`)).toBe(false);
      expect(() => insert.run("late")).toThrow();
    });
  });

  describe("a backup", () => backupContract({ newFile, open, openWal }));

  test("full-text search keeps only its index, and can delete from it", () => {
    const db = open();
    db.exec(`CREATE VIRTUAL TABLE s USING fts5(
      text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2")`);
    db.prepare("INSERT INTO s (rowid, text) VALUES (?, ?)").run(1, "Grüße an alle");
    const find = db.prepare("SELECT rowid FROM s WHERE s MATCH ?").pluck();
    expect(find.all('"grusse"')).toEqual([]);
    expect(find.all('"gruße"')).toEqual([1]);
    db.prepare("DELETE FROM s WHERE rowid = ?").run(1);
    expect(find.all('"alle"')).toEqual([]);
  });

  test("a worker thread has connections of its own to the same file", async () => {
    const file = newFile();
    const db = openWal(file);
    const url = new URL("../../src/journal/sqlite/open.js", import.meta.url).href;
    const worker = new Worker(
      `import(${JSON.stringify(url)}).then(({ loadDriver, openSqlite }) => {
        const db = openSqlite(${JSON.stringify(file)});
        db.prepare("INSERT INTO t (b) VALUES (?)").run("from " + loadDriver().name);
        db.close();
      });`,
      { eval: true, env: { ...process.env, ...env } },
    );
    await new Promise((resolve, reject) => worker.once("exit", resolve).once("error", reject));
    expect(db.prepare("SELECT b FROM t").pluck().get()).toBe(`from ${driver.name}`);
  });
}
