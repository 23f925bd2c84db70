import { expect, test } from "vitest";
import { HubError } from "../model/errors.js";
import { SqliteError } from "./sqlite/sqlite-error.js";
import { commitError, damaged, isDamage, isFatal, isStorage, storageError } from "./storage-error.js";

const sqlite = (code: string) => new SqliteError("as SQLite said it", code);

test.each([
  ["SQLITE_FULL", true, false],
  ["SQLITE_IOERR_FSYNC", true, false],
  ["SQLITE_READONLY_DBMOVED", true, false],
  ["SQLITE_CANTOPEN", true, false],
  ["SQLITE_NOMEM", true, false],
  ["SQLITE_CORRUPT_VTAB", false, true],
  ["SQLITE_NOTADB", false, true],
  ["SQLITE_CONSTRAINT_UNIQUE", false, false],
  ["SQLITE_ERROR", false, false],
])("%s: of the disk %s, damage %s", (code, ofDisk, ofFile) => {
  expect([isStorage(sqlite(code)), isDamage(sqlite(code))]).toEqual([ofDisk, ofFile]);
});

test("an error that only looks like one of SQLite's is neither", () => {
  for (const code of ["SQLITE_FULL", "SQLITE_CORRUPT"]) {
    const error = Object.assign(new Error("no"), { code });
    expect([isStorage(error), isDamage(error)]).toEqual([false, false]);
  }
});

test.each([
  ["OUTCOME_UNKNOWN", true],
  ["DATA_UNUSABLE", true],
  ["STORAGE_FULL", false],
  ["DATA_CORRUPT", false],
] as const)("after %s the hub stops: %s", (code, stops) => {
  expect(isFatal(new HubError(code, "because"))).toBe(stops);
});

test("a full disk and one that refuses both store nothing, and each says what to do", () => {
  const full = storageError(sqlite("SQLITE_FULL"));
  expect(full).toMatchObject({ code: "STORAGE_FULL", cause: sqlite("SQLITE_FULL") });
  expect(full.message).toContain("(as SQLite said it); nothing was stored. Free some space and");

  expect(storageError(sqlite("SQLITE_IOERR")).message).toContain("Check the disk and its free space and");
  expect(storageError("no error at all").message).toContain("(no error at all)");
});

test("a refusal stays what it is", () => {
  const refused = new HubError("SELF_SEND", "because");
  expect(storageError(refused)).toBe(refused);
});

test("of a commit, only the end of the disk is sure to have stored nothing", () => {
  expect(commitError(sqlite("SQLITE_FULL")).code).toBe("STORAGE_FULL");
  const unknown = commitError(sqlite("SQLITE_IOERR_FSYNC"));
  expect(unknown).toMatchObject({ code: "OUTCOME_UNKNOWN", cause: sqlite("SQLITE_IOERR_FSYNC") });
  expect(commitError(Object.assign(new Error("no"), { code: "SQLITE_FULL" })).code).toBe("OUTCOME_UNKNOWN");
});

test("damage names the file, why, and what can be saved", () => {
  const error = damaged("/home/hub.db", "page 7", sqlite("SQLITE_CORRUPT"));
  expect(error).toMatchObject({
    code: "DATA_CORRUPT",
    details: { file: "/home/hub.db" },
    cause: sqlite("SQLITE_CORRUPT"),
  });
  expect(error.message).toMatch(/^\/home\/hub\.db is damaged \(page 7\)\. .*huddle export.*huddle rebuild/);
});
