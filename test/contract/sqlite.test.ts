import { resolve } from "node:path";
import { describe } from "vitest";
import { findBetterSqlite3 } from "../../src/journal/sqlite/better-sqlite3.js";
import { choose } from "../../src/journal/sqlite/open.js";
import { sqliteContract } from "./sqlite.js";

describe("@photostructure/sqlite", () =>
  sqliteContract({ driver: choose("prebuilt", undefined), env: { HUDDLE_SQLITE: "prebuilt" } }));

// Where `node scripts/install-better-sqlite3.mjs` puts it.
const folder = resolve(process.env["HUDDLE_SQLITE_DIR"] || ".cache/better-sqlite3");

// `npm run test:better-sqlite3` and the soak install it; without it there is nothing to test.
if (findBetterSqlite3(folder) !== undefined) {
  const env = { HUDDLE_SQLITE: "better-sqlite3", HUDDLE_SQLITE_DIR: folder };
  describe("better-sqlite3", () => sqliteContract({ driver: choose("better-sqlite3", folder), env }));
}
