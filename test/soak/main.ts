import { createRandom } from "../fakes/random.js";
import { mountSmallDisk } from "../fakes/small-disk.js";
import { straceMissing } from "../fakes/strace.js";
import { runClaims } from "./claims.js";
import { runCrowd } from "./crowd.js";
import { chooseFaultPoints, runFaultPoint } from "./disk-faults.js";
import { runFullDisk } from "./full-disk.js";
import { runFuzz } from "./fuzz-http.js";
import { runKillLoop } from "./kill-loop.js";
import { runOneHub } from "./one-hub.js";
import { runTests } from "./run-tests.js";
import { runWriteOrder } from "./write-order.js";

/*
 * `npm run soak [name=count …]`: the same programs as the e2e tests, with nightly counts. Prints a table; ends with 1 if
 * any promise was broken. `npm run soak kills=50 fuzz=0` runs fewer kills and no fuzz; SEED=… repeats a run.
 */

/** For a night. */
const counts = {
  kills: 5000,
  sends: 1_500_000,
  ordered: 5000,
  runs: 20_000,
  claims: 100_000,
  faults: 300,
  disks: 5,
  jumps: 1000,
  hubs: 100,
  orphans: 100,
  crowd: 1_000_000,
  fuzz: 2_000_000,
};

type Row = { promise: string; did: string; seconds: number; violations: readonly string[] };

const LANES = 2;
const seed = Number(process.env["SEED"] ?? Date.now() % 4_294_967_296);
for (const argument of process.argv.slice(2)) {
  const [name, count] = argument.split("=");
  if (name === undefined || !(name in counts) || !/^\d+$/.test(count ?? "")) {
    console.error(`Usage: npm run soak [name=count …], with names ${Object.keys(counts).join(", ")}`);
    process.exit(2);
  }
  counts[name as keyof typeof counts] = Number(count);
}

const programs: {
  promise: string;
  count: number;
  run: () => Promise<{ did: string; violations: readonly string[] }>;
}[] = [
  { promise: "1, 2  accepted = on disk, once", count: counts.kills, run: killLoop },
  { promise: "1     written, flushed, answered", count: counts.ordered, run: writeOrder },
  { promise: "3     first sent, first handed out", count: counts.runs, run: firstInFirstOut },
  { promise: "4     one winner per claim", count: counts.claims, run: claims },
  { promise: "6     honest failure", count: counts.faults, run: faults },
  { promise: "6     a full disk", count: counts.disks, run: fullDisk },
  { promise: "7     clock-proof", count: counts.jumps, run: clockJumps },
  { promise: "8     one hub per directory", count: counts.hubs, run: oneHub },
  { promise: "9     no orphans", count: counts.orphans, run: orphans },
  { promise: "5, 11 a crowd, small caps", count: counts.crowd, run: crowd },
  { promise: "14    parsers never crash", count: counts.fuzz, run: fuzz },
];

console.log(`seed ${seed}`);
const rows: Row[] = [];
for (const { promise, count, run } of programs) {
  if (count === 0) continue;
  const began = performance.now();
  const { did, violations } = await run().catch((error: unknown) => ({
    did: "broke off",
    violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  const row = { promise, did, violations, seconds: (performance.now() - began) / 1000 };
  rows.push(row);
  console.log(render(row));
}
const broken = rows.filter(({ violations }) => violations.length > 0);
console.log(`${rows.length - broken.length} of ${rows.length} held`);
process.exitCode = broken.length === 0 ? 0 : 1;

function render({ promise, did, seconds, violations }: Row): string {
  const verdict = violations.length === 0 ? "ok  " : "FAIL";
  const lines = violations.slice(0, 20).map((violation) => `        ${violation}`);
  return [`${verdict}  ${promise.padEnd(34)} ${seconds.toFixed(0).padStart(6)} s  ${did}`, ...lines].join(
    "\n",
  );
}

async function killLoop() {
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      runKillLoop({
        kills: Math.ceil(counts.kills / LANES),
        leastSends: Math.ceil(counts.sends / LANES),
        random: createRandom(seed + lane),
      }),
    ),
  );
  const total = (pick: (lane: (typeof lanes)[number]) => number) =>
    lanes.reduce((sum, lane) => sum + pick(lane), 0);
  return {
    did:
      `${total(({ kills }) => kills)} kills, ${total(({ accepted }) => accepted)} accepted, ` +
      `${total(({ duplicates }) => duplicates)} duplicates sent, ${total(({ lost }) => lost)} lost, ` +
      `${total(({ duplicated }) => duplicated)} doubled, start ${Math.round(total(({ startMs }) => startMs) / LANES)} ms`,
    violations: lanes.flatMap(({ violations }) => violations),
  };
}

async function writeOrder() {
  const missing = straceMissing();
  if (missing !== undefined) return { did: "", violations: [missing] };
  const { sends, ordered, violations } = await runWriteOrder({ sends: counts.ordered });
  return { did: `${ordered}/${sends} in order`, violations };
}

async function firstInFirstOut() {
  const env = { HUDDLE_RUNS: String(counts.runs), SEED: String(seed) };
  return {
    did: `${counts.runs} interleavings`,
    violations: await runTests({ file: "test/fifo-per-pair.test.ts", env }),
  };
}

async function claims() {
  const { attempts, kills, won, violations } = await runClaims({
    attempts: counts.claims,
    kills: Math.ceil(counts.claims / 200),
    random: createRandom(seed),
  });
  return { did: `${attempts} attempts, ${kills} kills, ${won} won`, violations };
}

async function clockJumps() {
  const env = { HUDDLE_JUMPS: String(counts.jumps), SEED: String(seed) };
  return {
    did: `${counts.jumps} jumps`,
    violations: await runTests({ file: "test/clock-jumps.test.ts", env }),
  };
}

async function orphans() {
  const env = { HUDDLE_ROUNDS: String(counts.orphans) };
  const name = "no process of an agent";
  return {
    did: `${counts.orphans} kills with four kinds of agents, under two runtimes`,
    violations: await runTests({ file: "test/e2e/no-orphans.test.ts", name, env }),
  };
}

async function faults() {
  const missing = straceMissing();
  if (missing !== undefined) return { did: "", violations: [missing] };
  const violations: string[] = [];
  for (const point of chooseFaultPoints(counts.faults, createRandom(seed))) {
    const result = await runFaultPoint(point);
    violations.push(...result.violations.map((violation) => `${point.name}: ${violation}`));
  }
  return { did: `${counts.faults} points`, violations };
}

async function fullDisk() {
  const violations: string[] = [];
  let refused = 0;
  for (let n = 0; n < counts.disks; n++) {
    const disk = mountSmallDisk((32 + 16 * (n % 3)) * 1024 * 1024);
    if (typeof disk === "string") return { did: "", violations: [disk] };
    try {
      const result = await runFullDisk(disk, { bodyBytes: 200 * 10 ** (n % 3) });
      refused += result.refused;
      violations.push(...result.violations);
    } finally {
      disk.unmount();
    }
  }
  return { did: `${counts.disks} disks filled, ${refused} refused`, violations };
}

async function oneHub() {
  const result = await runOneHub({ seconds: counts.hubs, kills: Math.ceil(counts.hubs / 4) });
  return {
    did: `${result.refused}/${counts.hubs} refused, slowest restart ${Math.round(result.slowestRestartMs)} ms`,
    violations: result.violations,
  };
}

const MOST_GROWTH = 0.1;

async function crowd() {
  const result = await runCrowd({ agents: 50, messages: counts.crowd, random: createRandom(seed) });
  const percent = `${(result.growth * 100).toFixed(0)}%`;
  const refused = Object.values(result.refused).reduce((sum, n) => sum + n, 0);
  const grew = result.growth > MOST_GROWTH ? [`memory grew by ${percent}`] : [];
  return {
    did: `${result.accepted} accepted, ${refused} refused, memory ${percent} up`,
    violations: [...result.violations, ...grew],
  };
}

async function fuzz() {
  const result = await runFuzz({ inputs: counts.fuzz, random: createRandom(seed) });
  return {
    did: `${result.inputs} inputs, ${result.accepted} accepted, memory ${result.growthMb.toFixed(0)} MB up`,
    violations: result.violations,
  };
}
