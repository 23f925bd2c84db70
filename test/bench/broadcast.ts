import { join } from "node:path";
import { hashToken } from "../../src/hub/rules/credentials.js";
import { openSqlite } from "../../src/journal/sqlite/open.js";
import { openBenchJournal } from "./open-bench-journal.js";
import type { Measurement } from "./row.js";
import { type Pair, summarize } from "./statistics.js";

const MANY = 10_000;
const FEW = 1000;

/** A broadcast by the person, per recipient, against one bare row each in a transaction of the same kind. */
export const broadcast: Measurement = {
  name: "broadcast",
  async run(lab) {
    const journal = openBenchJournal(lab.folder());
    lab.onClose(journal.close);
    const enrol = (from: number, to: number, team: string) =>
      Promise.all(
        Array.from({ length: to - from }, (_, i) =>
          journal.execute("registerAgent", {
            name: `a-${from + i}`,
            team,
            credential: hashToken(`${from + i}`),
          }),
        ),
      );
    await enrol(0, FEW, "few");
    await enrol(FEW, MANY, "rest");
    const content = "x".repeat(200);
    const toAll = async (team?: string) => {
      const start = performance.now();
      await journal.execute("broadcast", { from: "human", content, team });
      return performance.now() - start;
    };
    const insertRows = bareRows(join(lab.folder(), "bare.db"), lab.onClose);

    const rounds = lab.quick ? 3 : 7;
    const [many, growth]: [Pair[], Pair[]] = [[], []];
    await toAll();
    for (let round = 0; round < rounds; round++) {
      const anchor = (insertRows(MANY) * 1000) / MANY;
      const few = ((await toAll("few")) * 1000) / FEW;
      const ours = ((await toAll()) * 1000) / MANY;
      many.push({ anchor, ours });
      growth.push({ anchor: few, ours });
    }
    const quietest = Math.min(...many.map(({ ours }) => ours));
    return [
      {
        what: `Broadcast to ${MANY}, per recipient (the quietest round)`,
        against: "a bare row inserted and committed",
        unit: "µs",
        ...summarize(many),
        ours: quietest,
        limit: { on: "ratio", is: "at most", bound: 2.75 },
      },
      {
        what: `Broadcast per recipient, to ${MANY}`,
        against: `per recipient, to ${FEW}`,
        unit: "µs",
        ...summarize(growth),
        limit: { on: "ratio", is: "at most", bound: 1.5 },
      },
    ];
  },
};

function bareRows(file: string, onClose: (close: () => unknown) => void): (rows: number) => number {
  const db = openSqlite(file);
  onClose(() => db.close());
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(
    "CREATE TABLE row (recipient TEXT, seq INTEGER, sender TEXT, PRIMARY KEY (recipient, seq)) WITHOUT ROWID",
  );
  const insert = db.prepare("INSERT INTO row VALUES (?, ?, ?)");
  let seq = 0;
  const all = db.transaction((rows: number) => {
    seq++;
    for (let i = 0; i < rows; i++) insert.run(`01a1e22f-f024-78fa-a0c4-${i}`, seq, "human");
  });
  return (rows) => {
    const start = performance.now();
    all(rows);
    return performance.now() - start;
  };
}
