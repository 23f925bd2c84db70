import { expect, test } from "vitest";
import { codeName, codeOfMessage } from "./sqlite-error.js";

test.each([
  [5, "SQLITE_BUSY"],
  [517, "SQLITE_BUSY_SNAPSHOT"],
  [13, "SQLITE_FULL"],
  [10, "SQLITE_IOERR"],
  [1034, "SQLITE_IOERR_FSYNC"],
  [8714, "SQLITE_IOERR_IN_PAGE"],
  [776, "SQLITE_READONLY_ROLLBACK"],
  [526, "SQLITE_CANTOPEN_ISDIR"],
  [516, "SQLITE_ABORT_ROLLBACK"],
  [779, "SQLITE_CORRUPT_INDEX"],
  [1555, "SQLITE_CONSTRAINT_PRIMARYKEY"],
  [26, "SQLITE_NOTADB"],
  [28, "SQLITE_WARNING"],
  [10 + 256 * 200, "SQLITE_IOERR"],
  [255, "SQLITE_ERROR"],
])("%i is %s", (number, name) => {
  expect(codeName(number)).toBe(name);
});

test("an error without a number is known by SQLite's own words", () => {
  expect(codeOfMessage("disk I/O error")).toBe("SQLITE_IOERR");
  expect(codeOfMessage("malformed database schema (x)")).toBe("SQLITE_CORRUPT");
  expect(codeOfMessage("something new")).toBe("SQLITE_ERROR");
});
