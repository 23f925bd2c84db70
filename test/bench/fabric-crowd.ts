import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../fakes/random.js";
import { cpuMs } from "./cpu-time.js";
import { openEndpoints } from "./endpoints.js";
import { startServer } from "./fabric-server.js";
import type { Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { summarize } from "./statistics.js";

const HUBS = 200;
const FEW = 20;
const SEED = 1;

/** Two hundred hubs on one server: each writes to each, then nothing happens. */
export const fabricCrowd: Measurement = {
  name: "fabric-crowd",
  longestMs: 1_800_000,
  async run(lab) {
    const server = await startServer(lab);
    const few = await openEndpoints(
      lab,
      { processes: 1, names: namesOf("few", FEW), mailPerBatch: 64 },
      server,
    );
    const fewPairs = pairsOf("few", FEW, FEW);
    await few.introduce(fewPairs);
    const fewRate = await rateOf(fewPairs, few.exchange);
    const idleFew = await cpuPerSecond(lab, few.pids);

    const crowd = await openEndpoints(
      lab,
      { processes: 4, names: namesOf("hub", HUBS), mailPerBatch: 64 },
      server,
    );
    const pairs = pairsOf("hub", HUBS, lab.quick ? 10 : HUBS);
    await crowd.introduce(pairs);
    const rate = await rateOf(pairs, crowd.exchange);
    const idle = await cpuPerSecond(lab, crowd.pids);
    const idleServer = await cpuPerSecond(lab, [server.pid]);
    return [
      {
        what: `${pairs.length.toLocaleString("en")} messages among ${HUBS} hubs of the fabric, each once and in order`,
        against: `${fewPairs.length} among ${FEW} hubs`,
        unit: "/s",
        ...summarize([{ anchor: fewRate, ours: rate }]),
      },
      {
        what: `CPU time per second of these ${HUBS} hubs, idle`,
        against: `of ${FEW}`,
        unit: "ms",
        ...summarize([{ anchor: Math.max(idleFew, 1), ours: idle }]),
        limit: { on: "ours", is: "at most", bound: 30 },
      },
      {
        what: `CPU time per second of the server of these ${HUBS} and ${FEW} idle hubs`,
        against: "of the hubs",
        unit: "ms",
        ...summarize([{ anchor: Math.max(idle + idleFew, 1), ours: idleServer }]),
        limit: { on: "ours", is: "at most", bound: 30 },
      },
    ];
  },
};

const namesOf = (word: string, count: number) => Array.from({ length: count }, (_, n) => `${word}-${n}`);

/** Each to so many others: to all, or to some that are chosen by chance. */
function pairsOf(word: string, count: number, others: number) {
  const random = createRandom(SEED);
  const names = namesOf(word, count);
  return names.flatMap((from) =>
    names
      .filter((name) => name !== from)
      .map((to) => ({ to, place: random.next() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, others)
      .map(({ to }) => ({ from, to, count: 1 })),
  );
}

async function rateOf<T>(
  mail: readonly T[],
  exchange: (mail: readonly T[]) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  await exchange(mail);
  return (mail.length * 1000) / (performance.now() - start);
}

/**
 * Once nothing moves: when the last message has come, senders are still told so, hubs that met by it greet each other, and then V8 collects what
 * all of that left, which it puts off until a process is quiet.
 */
async function cpuPerSecond(lab: Lab, pids: readonly number[]): Promise<number> {
  await sleep(lab.quick ? 30_000 : 120_000);
  const seconds = lab.quick ? 5 : 30;
  const now = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = now();
  await sleep(seconds * 1000);
  return (now() - before) / seconds;
}
