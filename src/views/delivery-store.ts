import { LRUCache } from "lru-cache";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import { isOpen } from "../model/delivery.js";
import {
  deliveryColumns as columns,
  type DeliveryRow,
  type StoredDelivery,
  toState,
  unpack,
  valuesOf,
} from "./delivery-row.js";

/*
 * The rows of deliveries: those that are open in one table, those that have ended in another. Most change several times in the
 * batch in which they come or are read, so they are kept back until its end, one for each message, and stored once.
 */
export type DeliveryStore = {
  get(seq: number, recipient: AgentId): DeliveryRow | undefined;
  /** A new one, at once. */
  insert(row: DeliveryRow): void;
  /** Keeps back a new one, or one as it is after a change; `before` is how it was. */
  keep(row: DeliveryRow, before?: DeliveryRow): void;
  /** Those that are kept back; undefined when there are none, or too many to look through. */
  kept(): DeliveryRow[] | undefined;
  /** Stores what is kept back. To be called before the tables are read. */
  settle(): void;
  forget(): void;
};

/** `stored`: which of the tables has it as it was before this batch. */
type Kept = { row: DeliveryRow; stored: "open" | "ended" | undefined };

/** More than these are read from the table. */
const FEW = 8;
/** Rows that were stored a moment ago: most are read or changed again at once. */
const LATELY = 256;

export function createDeliveryStore(db: Database): DeliveryStore {
  const getOpen = db.prepare<[string, number], StoredDelivery>(
    "SELECT * FROM delivery WHERE recipient = ? AND seq = ?",
  );
  const getEnded = db.prepare<[string, number], StoredDelivery>(
    "SELECT * FROM delivery_ended WHERE recipient = ? AND seq = ?",
  );
  const remove = db.prepare("DELETE FROM delivery WHERE recipient = ? AND seq = ?");
  const removeEnded = db.prepare("DELETE FROM delivery_ended WHERE recipient = ? AND seq = ?");
  const into = (table: string) => `INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, "?")})`;
  // What has taken no step yet has only these.
  const insertNew = db.prepare(
    `INSERT INTO delivery (recipient, seq, sender, state, conversation, hop, hold, passes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putOpen = db.prepare(`REPLACE ${into("delivery")}`);
  const putEnded = db.prepare(`REPLACE ${into("delivery_ended")}`);
  const kept = new Map<number, Kept>();
  const lately = new LRUCache<number, DeliveryRow>({ max: LATELY });

  function insert({ recipient, seq, sender, state, conversation, hop, hold, passes }: DeliveryRow) {
    insertNew.run(recipient, seq, sender, state, conversation, hop, hold, passes);
  }

  function store({ row, stored }: Kept) {
    const { recipient, seq } = row;
    if (isOpen(toState(row.state))) {
      if (stored === "ended") removeEnded.run(recipient, seq);
      if (row.steps.length === 0) insert(row);
      else putOpen.run(...valuesOf(row));
    } else {
      if (stored === "open") remove.run(recipient, seq);
      putEnded.run(...valuesOf(row));
    }
    lately.set(seq, row);
  }

  function settle() {
    if (kept.size === 0) return;
    for (const one of kept.values()) store(one);
    kept.clear();
  }

  return {
    get(seq, recipient) {
      const fresh = kept.get(seq)?.row ?? lately.get(seq);
      if (fresh?.recipient === recipient) return fresh;
      const stored = getOpen.get(recipient, seq) ?? getEnded.get(recipient, seq);
      return stored && unpack(stored);
    },
    insert,
    keep(row, before) {
      const known = kept.get(row.seq);
      if (known?.row.recipient === row.recipient) {
        kept.set(row.seq, { row, stored: known.stored });
        return;
      }
      if (known !== undefined) settle();
      const stored = before === undefined ? undefined : isOpen(toState(before.state)) ? "open" : "ended";
      kept.set(row.seq, { row, stored });
    },
    kept: () => (kept.size === 0 || kept.size > FEW ? undefined : [...kept.values()].map(({ row }) => row)),
    settle,
    forget() {
      kept.clear();
      lately.clear();
    },
  };
}
