import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hashToken } from "../../src/hub/rules/credentials.js";
import { type BenchJournal, openBenchJournal } from "./open-bench-journal.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";

/** Past the size at which the write-ahead log is written back for the first time, as any hub is after a while. */
const WARM_UP = 1000;
const COUNTED = 200;

/** One send made durable alone, against appending as many bytes to a file beside it and flushing that. */
export const fullCommit: Measurement = {
  name: "commit",
  async run(lab) {
    const folder = lab.folder();
    const journal = openBenchJournal(folder);
    lab.onClose(journal.close);
    const send = await prepareSend(journal);
    await send();
    const before = journal.walBytes();
    for (let i = 0; i < COUNTED; i++) await send();
    const bytes = Buffer.alloc(Math.round((journal.walBytes() - before) / COUNTED), 0x78);
    for (let i = COUNTED; i < WARM_UP; i++) await send();

    const file = openSync(join(folder, "append"), "a");
    lab.onClose(() => closeSync(file));
    const append = () => {
      writeSync(file, bytes);
      fdatasyncSync(file);
    };
    const pairs: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const [anchors, ours]: [number[], number[]] = [[], []];
      for (let i = 0; i < (lab.quick ? 100 : 200); i++) {
        const start = performance.now();
        append();
        const middle = performance.now();
        await send();
        anchors.push(middle - start);
        ours.push(performance.now() - middle);
      }
      pairs.push({ anchor: median(anchors) * 1000, ours: median(ours) * 1000 });
    }
    return [
      {
        what: "One send, committed with a full sync",
        against: `append of the same ${(bytes.length / 1024).toFixed(0)} KiB + fdatasync`,
        unit: "µs",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 1.25 },
      },
    ];
  },
};

async function prepareSend({ execute }: BenchJournal): Promise<() => Promise<unknown>> {
  const alice = await execute("registerAgent", { name: "alice", credential: hashToken("alice") });
  await execute("registerAgent", { name: "bob", credential: hashToken("bob") });
  const content = "x".repeat(200);
  return () => execute("sendMessage", { from: alice.id, to: "bob", content });
}
