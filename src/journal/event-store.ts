import { eventVersion, type HubEvent, type NewEvent, upcast } from "../model/events.js";
import type { Database } from "./sqlite/port.js";
import { damaged } from "./storage-error.js";

type Row = {
  seq: number;
  at: number;
  hub_time: number;
  type: string;
  v: number;
  subject: string | null;
  data: string;
};

export type EventStore = {
  append(event: NewEvent, at: number, hubTime: number): HubEvent;
  get(seq: number): HubEvent | undefined;
  /**
   * At most `limit` events after `seq`, oldest first, and no more than about `bytes` of them, but at least one. A page,
   * never an open cursor: that would fail every write.
   */
  pageAfter(seq: number, limit: number, bytes?: number): HubEvent[];
  /** At most `limit` events before `seq`, newest first. */
  pageBefore(seq: number, limit: number): HubEvent[];
  firstSeq(): number;
  lastSeq(): number;
  lastHubTime(): number;
  /** The last event at or before a wall time, for "since 10 minutes ago". */
  seqBefore(wall: number): number;
};

export function createEventStore(db: Database): EventStore {
  const insert = db.prepare<[number, number, string, number, string | null, string]>(
    "INSERT INTO event (at, hub_time, type, v, subject, data) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const one = db.prepare<[number], Row>("SELECT * FROM event WHERE seq = ?");
  const page = db.prepare<[number, number], Row>("SELECT * FROM event WHERE seq > ? ORDER BY seq LIMIT ?");
  const pageBack = db.prepare<[number, number], Row>(
    "SELECT * FROM event WHERE seq < ? ORDER BY seq DESC LIMIT ?",
  );
  const sizes = db
    .prepare<[number, number], number>(
      "SELECT octet_length(data) FROM event WHERE seq > ? ORDER BY seq LIMIT ?",
    )
    .pluck();
  const last = db.prepare<[], Row>("SELECT * FROM event ORDER BY seq DESC LIMIT 1");
  const first = db.prepare<[], { seq: number }>("SELECT seq FROM event ORDER BY seq LIMIT 1");

  const read = (row: Row) => toEvent(row, db.name);

  return {
    append(event, at, hubTime) {
      const { lastInsertRowid } = insert.run(
        at,
        hubTime,
        event.type,
        eventVersion(event.type),
        event.subject,
        JSON.stringify(event.data),
      );
      // Spread last: what is added to a spread object is added slowly, and this is done for every event.
      return { seq: Number(lastInsertRowid), at, hubTime, ...event };
    },
    get(seq) {
      const row = one.get(seq);
      return row && read(row);
    },
    pageAfter(seq, limit, bytes) {
      const most = bytes === undefined ? limit : countWithin(sizes.all(seq, limit), bytes);
      return page.all(seq, most).map(read);
    },
    pageBefore: (seq, limit) => pageBack.all(seq, limit).map(read),
    firstSeq: () => first.get()?.seq ?? 0,
    lastSeq: () => last.get()?.seq ?? 0,
    lastHubTime: () => last.get()?.hub_time ?? 0,
    seqBefore(wall) {
      // `at` has no index and may jump with the clock: a binary search by seq is near enough, and never slow.
      let low = first.get()?.seq ?? 1;
      let high = (last.get()?.seq ?? 0) + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const row = page.get(middle - 1, 1);
        if (row === undefined || row.at >= wall) high = middle;
        else low = row.seq + 1;
      }
      return low - 1;
    },
  };
}

/** How many of the first sizes fit into `bytes`; the first one always does. */
function countWithin(sizes: readonly number[], bytes: number): number {
  let total = 0;
  const tooMany = sizes.findIndex((size) => {
    total += size;
    return total > bytes;
  });
  return Math.max(1, tooMany === -1 ? sizes.length : tooMany);
}

function toEvent(row: Row, file: string): HubEvent {
  const stored: unknown = {
    type: row.type,
    subject: row.subject,
    data: upcast(row.type, row.v, parseData(row, file)),
    seq: row.seq,
    at: row.at,
    hubTime: row.hub_time,
  };
  // oxlint-disable-next-line typescript/consistent-type-assertions -- our own writing, decoded when it came in
  return stored as HubEvent;
}

function parseData({ seq, data }: Row, file: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw damaged(file, `event ${seq} is not what was stored`, error);
  }
}
