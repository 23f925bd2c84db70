import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { letGoOfClosedFiles } from "../../test/fakes/let-go.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { refusalOf } from "../../test/refusal-of.js";
import { HubError } from "../model/errors.js";
import { explainDatabaseError, openDatabase } from "./open-database.js";
import { openSqlite } from "./sqlite/open.js";
import { SqliteError } from "./sqlite/sqlite-error.js";

const newFile = () => join(tempFolder(), "huddle.db");

/** A database as a hub leaves it, with enough in it that its tables span many pages. */
async function writeHistory(): Promise<string> {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await Promise.all(Array.from({ length: 200 }, () => hub.send(alice, bob, "x".repeat(500))));
  await hub.close();
  await letGoOfClosedFiles();
  return hub.file;
}

/** Permissions bind nobody who is root: become somebody else for the act. */
function asOrdinaryUser(act: () => void): void {
  const uid = process.geteuid?.();
  if (uid === 0) process.seteuid?.(65_534);
  try {
    act();
  } finally {
    if (uid === 0) process.seteuid?.(uid);
  }
}

test("a commit is on disk before it is answered: WAL with a full sync, checkpoints left to the worker", () => {
  const db = openDatabase(newFile());
  onTestFinished(() => db.close());

  expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(db.pragma("synchronous", { simple: true })).toBe(2);
  expect(db.pragma("wal_autocheckpoint", { simple: true })).toBe(0);
});

test.each([
  ["darwin", 1],
  ["linux", 0],
])("on %s fullfsync is %i", (platform, expected) => {
  vi.spyOn(process, "platform", "get").mockReturnValue(platform as NodeJS.Platform);
  onTestFinished(() => void vi.restoreAllMocks());
  const db = openDatabase(newFile());
  onTestFinished(() => db.close());

  expect(db.pragma("fullfsync", { simple: true })).toBe(expected);
});

test("SQLite is new enough not to corrupt a WAL when it is reset", () => {
  const db = openSqlite(":memory:");
  const [row] = db.prepare<[], { version: string }>("SELECT sqlite_version() AS version").all();
  db.close();

  const [major = 0, minor = 0, patch = 0] = (row?.version ?? "").split(".").map(Number);
  expect(major * 1_000_000 + minor * 1000 + patch).toBeGreaterThanOrEqual(3_051_003);
});

test("a file that is no database is left alone, and the error says what to do", () => {
  const file = newFile();
  const text = "This is not a database. ".repeat(100);
  writeFileSync(file, text);

  const error = refusalOf(() => openDatabase(file));

  expect(error.code).toBe("DATA_CORRUPT");
  expect(error.message).toContain(file);
  expect(error.message).toContain("restore a backup");
  expect(error.details).toEqual({ file });
  expect(readFileSync(file, "utf8")).toBe(text);
});

test.each([
  ["its first page", 0],
  ["the journal's own pages", 1],
])("a database with damage in %s is refused as corrupt", async (_where, firstPage) => {
  const file = await writeHistory();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, firstPage * 4096 + (firstPage === 0 ? 20 : 0), bytes.length);
  writeFileSync(file, bytes);

  expect(refusalOf(() => openTestHub({ file })).code).toBe("DATA_CORRUPT");
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test("a file that may not be written is refused with how to look at it", async () => {
  const file = await writeHistory();
  chmodSync(dirname(file), 0o755);
  chmodSync(file, 0o444);

  asOrdinaryUser(() => {
    const error = refusalOf(() => openDatabase(file));
    expect(error.code).toBe("DATA_UNUSABLE");
    expect(error.message).toContain(`ls -l ${file}`);
  });
});

test("a file that may not even be read is refused too", async () => {
  const file = await writeHistory();
  chmodSync(dirname(file), 0o755);
  chmodSync(file, 0o000);

  asOrdinaryUser(() => {
    expect(refusalOf(() => openDatabase(file)).code).toBe("DATA_UNUSABLE");
  });
});

test("a folder in its place is refused, and stays", () => {
  const folder = newFile();
  mkdirSync(folder);

  expect(refusalOf(() => openDatabase(folder)).code).toBe("DATA_UNUSABLE");
  expect(statSync(folder).isDirectory()).toBe(true);
});

test.each([
  ["SQLITE_NOTADB", "DATA_CORRUPT", "restore a backup"],
  ["SQLITE_CORRUPT", "DATA_CORRUPT", "Nothing was changed"],
  ["SQLITE_CORRUPT_INDEX", "DATA_CORRUPT", "restore a backup"],
  ["SQLITE_READONLY", "DATA_UNUSABLE", "ls -l /x/huddle.db"],
  ["SQLITE_READONLY_DIRECTORY", "DATA_UNUSABLE", "Check who owns it"],
  ["SQLITE_CANTOPEN", "DATA_UNUSABLE", "ls -l /x/huddle.db"],
  ["SQLITE_PERM", "DATA_UNUSABLE", "ls -l /x/huddle.db"],
  ["SQLITE_FULL", "STORAGE_FULL", "Free some space"],
  ["SQLITE_IOERR_FSYNC", "STORAGE_FULL", "Free some space"],
])("of SQLite's %s a person is told %s", (code, expected, way) => {
  const cause = new SqliteError("as SQLite says it", code);

  const error = explainDatabaseError(cause, "/x/huddle.db") as HubError;

  expect(error).toBeInstanceOf(HubError);
  expect(error).toMatchObject({ code: expected, details: { file: "/x/huddle.db" }, cause });
  expect(error.message).toContain("/x/huddle.db");
  expect(error.message).toContain("as SQLite says it");
  expect(error.message).toContain(way);
});

test.each([
  new SqliteError("no such table: event", "SQLITE_ERROR"),
  new SqliteError("constraint failed", "SQLITE_CONSTRAINT_UNIQUE"),
  new TypeError("not of SQLite"),
])("an error that is ours stays what it is: %s", (error) => {
  expect(explainDatabaseError(error, "/x/huddle.db")).toBe(error);
});
