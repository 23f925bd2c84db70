import { describe, expect, test } from "vitest";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { straceMissing } from "../fakes/strace.js";
import { runKillLoop } from "../soak/kill-loop.js";
import { compareInbox, findDisorder } from "../soak/ledger.js";
import { checkOrder, runWriteOrder } from "../soak/write-order.js";

/** `npm run soak kills` has thousands. */
const KILLS = 60;
const SENDS = 30_000;
const TRACED = 200;

test("60 kills lose nothing that was accepted, and 30,000 sends with duplicates arrive once, in order", async () => {
  const seeds = chooseSeeds();
  const kills = Math.ceil(KILLS / seeds.length);
  const leastSends = Math.ceil(SENDS / seeds.length);
  // Each in a data folder of its own.
  const lanes = await Promise.all(
    seeds.map(async (seed) => ({
      seed,
      ...(await runKillLoop({ kills, leastSends, random: createRandom(seed) })),
    })),
  );
  for (const { seed, violations, sends, duplicates, ...counts } of lanes) {
    console.log(`SEED=${seed}`, { sends, duplicates, ...counts });

    expect(violations, `SEED=${seed} repeats this`).toEqual([]);
    expect(counts).toMatchObject({ kills, lost: 0, duplicated: 0 });
    expect(counts.killedWhileStarting).toBeGreaterThan(0);
    expect(sends).toBeGreaterThanOrEqual(leastSends);
    // A third of them, more or less.
    expect(duplicates / sends).toBeGreaterThan(0.2);
  }
});

const missing = straceMissing();

test.skipIf(missing !== undefined)(
  `for each of ${TRACED} sends the journal is written, then flushed, then the sender answered ${missing ?? ""}`,
  async () => {
    const result = await runWriteOrder({ sends: TRACED });

    expect(result.violations).toEqual([]);
    expect(result.ordered).toBe(TRACED);
  },
);

describe("the checks themselves", () => {
  const wal = "/x/huddle.db-wal";
  const write = `7 pwrite64(21<${wal}>, "…", 4096, 0) = 4096`;
  const flush = `7 fsync(21<${wal}>) = 0`;
  const answer = String.raw`7 write(25<TCP:[1->2]>, "HTTP/1.1 202 …{\"message_id\":\"a-1\"}", 90) = 90`;

  test.each([
    ["an answer before the flush", [write, answer, flush]],
    ["an answer without a flush", [write, answer]],
    ["an answer without a write", [flush, answer]],
    ["a write after the flush", [write, flush, write, answer]],
    ["a flush that failed", [write, `7 fsync(21<${wal}>) = -1 EIO`, answer]],
    ["a flush of another file", [write, "7 fsync(9</x/huddle.db>) = 0", answer]],
    [
      "an answer while the flush is under way",
      [write, `7 fsync(21<${wal}> <unfinished ...>`, answer.replace("7", "8"), "7 <... fsync resumed>) = 0"],
    ],
    ["no answer at all", [write, flush]],
  ])("%s is found in a trace", (_, lines) => {
    expect(checkOrder(lines.join("\n"), ["a-1"])).toMatchObject({
      ordered: 0,
      violations: [expect.anything()],
    });
  });

  test("a trace in order passes", () => {
    expect(checkOrder([write, flush, answer].join("\n"), ["a-1"])).toMatchObject({
      ordered: 1,
      violations: [],
    });
  });

  test("a lost, a doubled, an invented and a changed message are found", () => {
    const entry = (id: string, seq: number) => ({ id, seq, from: "ann", to: "ben", content: id });
    const accepted = [entry("a", 1), entry("b", 2), entry("c", 3)];
    const read = [entry("a", 1), entry("a", 1), entry("c", 4), entry("d", 5)];

    expect(compareInbox(accepted, read)).toEqual({
      lost: ["b"],
      duplicated: ["a"],
      changed: ["c"],
      invented: ["d"],
    });
  });

  test("two messages of a pair that changed places are found", () => {
    const entry = (id: string, seq: number) => ({ id, seq, from: "ann", to: "ben", content: id });

    expect(findDisorder([], [entry("b", 2), entry("a", 1)])).toHaveLength(1);
    expect(findDisorder([entry("b", 2), entry("a", 1)], [])).toHaveLength(1);
    expect(findDisorder([entry("a", 1), entry("b", 2)], [entry("a", 1), entry("b", 2)])).toEqual([]);
  });
});
