/*
 * What the senders know, kept outside the hub: which message was issued by whom in which order, and which of them the
 * hub said it had accepted, under which sequence number.
 */

export type Entry = { id: string; from: string; to: string; content: string; seq?: number };

export type Ledger = {
  issue(entry: Entry): Entry;
  /** Notes an acceptance; the same message under another number is a violation. */
  accept(entry: Entry, seq: number): void;
  /** Notes what must not happen. */
  violation(what: string): void;
  violations(): readonly string[];
  issued(): readonly Entry[];
  accepted(): readonly Entry[];
};

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  const wrong: string[] = [];
  const ledger: Ledger = {
    issue(entry) {
      entries.push(entry);
      return entry;
    },
    accept(entry, seq) {
      if (entry.seq !== undefined && entry.seq !== seq) {
        ledger.violation(`${entry.id} was accepted as ${entry.seq} and again as ${seq}`);
      }
      entry.seq = seq;
    },
    violation(what) {
      if (wrong.length < 100) wrong.push(what);
    },
    violations: () => wrong,
    issued: () => entries,
    accepted: () => entries.filter(({ seq }) => seq !== undefined),
  };
  return ledger;
}

/** One message as a reader met it. */
export type Read = { id: string; seq: number; from: string; content: string };

export type Comparison = { lost: string[]; duplicated: string[]; invented: string[]; changed: string[] };

/** What one recipient got, against what the senders were told. */
export function compareInbox(accepted: readonly Entry[], read: readonly Read[]): Comparison {
  const byId = new Map(accepted.map((entry) => [entry.id, entry]));
  const seen = new Set<string>();
  const result: Comparison = { lost: [], duplicated: [], invented: [], changed: [] };
  for (const message of read) {
    const entry = byId.get(message.id);
    if (seen.has(message.id)) result.duplicated.push(message.id);
    seen.add(message.id);
    if (entry === undefined) result.invented.push(message.id);
    else if (entry.seq !== message.seq || entry.content !== message.content || entry.from !== message.from) {
      result.changed.push(message.id);
    }
  }
  for (const { id } of accepted) if (!seen.has(id)) result.lost.push(id);
  return result;
}

/** Pairs whose messages are not in the order of the hub's sequence, or not in the order in which they were issued. */
export function findDisorder(issuedInOrder: readonly Entry[], read: readonly Read[]): string[] {
  const disorder: string[] = [];
  const lastRead = new Map<string, number>();
  for (const { id, seq, from } of read) {
    if (seq <= (lastRead.get(from) ?? 0)) disorder.push(`${id} was read after a younger one of ${from}`);
    lastRead.set(from, seq);
  }
  const lastIssued = new Map<string, number>();
  for (const { id, seq, from, to } of issuedInOrder) {
    if (seq === undefined) continue;
    const pair = `${from}>${to}`;
    if (seq <= (lastIssued.get(pair) ?? 0)) disorder.push(`${id} overtook an earlier one of ${pair}`);
    lastIssued.set(pair, seq);
  }
  return disorder;
}
