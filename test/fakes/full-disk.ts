import type { Database } from "../../src/journal/sqlite/port.js";

const ID_BYTES = 200_000;

/**
 * Leaves the database room for one event of this message id and for nothing after it: the statement that runs into the
 * end is one after which SQLite rolls the whole transaction back by itself. `freeDisk` takes the limit away.
 */
export function fillDisk(db: Database): string {
  const [pages, pageSize] = [
    db.pragma("page_count", { simple: true }),
    db.pragma("page_size", { simple: true }),
  ];
  const room = Math.ceil((1.5 * ID_BYTES) / Number(pageSize));
  db.pragma(`max_page_count = ${Number(pages) + room}`);
  return "k".repeat(ID_BYTES);
}

export function freeDisk(db: Database): void {
  db.pragma("max_page_count = 1073741823");
}
