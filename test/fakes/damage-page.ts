import { readFileSync, writeFileSync } from "node:fs";
import { openSqlite } from "../../src/journal/sqlite/open.js";

/** Overwrites a leaf of a table, as a failing disk does: one in the middle of its file. */
export function damagePage(database: string, name: string, where: "early" | "middle" = "middle"): void {
  const db = openSqlite(database);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const size = Number(db.pragma("page_size", { simple: true }));
  const root = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(name));
  db.close();
  const bytes = readFileSync(database);
  const page = leafBelow({ bytes, size, where }, root);
  bytes.fill(0xa5, (page - 1) * size, page * size);
  writeFileSync(database, bytes);
}

type Pages = { bytes: Buffer; size: number; where: "early" | "middle" };

/** A child, and a child of that, down to a leaf (https://sqlite.org/fileformat2.html, 1.6). */
function leafBelow(pages: Pages, page: number): number {
  const { bytes, size, where } = pages;
  const start = (page - 1) * size;
  const kind = bytes[start];
  if (kind === 0x0d || kind === 0x0a) return page;
  const cells = bytes.readUInt16BE(start + 3);
  const at = Math.floor(cells / (where === "early" ? 10 : 2));
  const cell = bytes.readUInt16BE(start + 12 + 2 * at);
  return leafBelow(pages, bytes.readUInt32BE(start + cell));
}
