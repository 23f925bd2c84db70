import { createHubYard } from "../fakes/hub-process.js";
import { createRandom } from "../fakes/random.js";
import { mountSmallDisk } from "../fakes/small-disk.js";
import { straceMissing } from "../fakes/strace.js";
import { runClaims } from "./claims.js";
import { commandParts } from "./command-parts.js";
import { runCrowd } from "./crowd.js";
import { cuts } from "./cuts.js";
import { chooseFaultPoints, prepareFaults, runFaultPoint } from "./disk-faults.js";
import { runFullDisk } from "./full-disk.js";
import { runFuzz } from "./fuzz-http.js";
import { runKillLoop } from "./kill-loop.js";
import { runOneHub } from "./one-hub.js";
import { most, type Part, total } from "./part.js";
import { planted } from "./planted/planted.js";
import { races } from "./races.js";
import { runTests } from "./run-tests.js";
import { runWriteOrder } from "./write-order.js";

/** Data folders that are killed side by side. */
const LANES = 2;
const SENDS_PER_KILL = 310;
const MOST_GROWTH = 0.1;

const kills: Part = {
  name: "kills",
  promise: "1, 2",
  title: "accepted = on disk, once",
  count: 5000,
  slice: 500,
  async run({ seed, count, progress }) {
    let done = 0;
    const lanes = await Promise.all(
      Array.from({ length: LANES }, (_, lane) =>
        runKillLoop({
          kills: Math.ceil(count / LANES),
          leastSends: Math.ceil((count * SENDS_PER_KILL) / LANES),
          random: createRandom(seed + lane),
          onKill: () => progress(++done),
        }),
      ),
    );
    const names = ["kills", "accepted", "duplicates", "lost", "duplicated", "startMs"] as const;
    const counts = Object.fromEntries(
      names.map((name) => [name, lanes.reduce((sum, lane) => sum + lane[name], 0)]),
    );
    return { counts, violations: lanes.flatMap(({ violations }) => violations) };
  },
  describe: (all) =>
    `${total(all, "kills")} kills, ${total(all, "accepted")} accepted, ${total(all, "duplicates")} duplicates sent, ` +
    `${total(all, "lost")} lost, ${total(all, "duplicated")} doubled, ` +
    `start ${Math.round(total(all, "startMs") / LANES / all.length)} ms`,
};

const ordered: Part = {
  name: "ordered",
  promise: "1",
  title: "written, flushed, answered",
  count: 5000,
  async run({ count }) {
    const missing = straceMissing();
    if (missing !== undefined) return { counts: {}, violations: [missing] };
    const { sends, ordered, violations } = await runWriteOrder({ sends: count });
    return { counts: { sends, ordered }, violations };
  },
  describe: (all) => `${total(all, "ordered")}/${total(all, "sends")} in order`,
};

const claims: Part = {
  name: "claims",
  promise: "4",
  title: "one winner per claim",
  count: 100_000,
  slice: 10_000,
  async run({ seed, count, progress }) {
    const { attempts, kills, won, violations } = await runClaims({
      attempts: count,
      kills: Math.ceil(count / 200),
      random: createRandom(seed),
      onAttempts: progress,
    });
    return { counts: { attempts, kills, won }, violations };
  },
  describe: (all) =>
    `${total(all, "attempts")} attempts, ${total(all, "kills")} kills, ${total(all, "won")} won`,
};

const faults: Part = {
  name: "faults",
  promise: "6",
  title: "honest failure",
  count: 300,
  slice: 50,
  async run({ seed, from, count, progress }) {
    const missing = straceMissing();
    if (missing !== undefined) return { counts: {}, violations: [missing] };
    const violations: string[] = [];
    // Which point comes next follows from how many came before.
    const points = chooseFaultPoints(from + count, createRandom(seed)).slice(from);
    const yard = createHubYard();
    try {
      const prepared = await prepareFaults(yard);
      for (const [i, point] of points.entries()) {
        const result = await runFaultPoint(point, prepared);
        violations.push(...result.violations.map((violation) => `${point.name}: ${violation}`));
        progress(i + 1);
      }
    } finally {
      await yard.clear();
    }
    return { counts: { points: points.length }, violations };
  },
  describe: (all) => `${total(all, "points")} points`,
};

const disks: Part = {
  name: "disks",
  promise: "6",
  title: "a full disk",
  count: 5,
  async run({ count, progress }) {
    const violations: string[] = [];
    let refused = 0;
    for (let n = 0; n < count; n++) {
      const disk = mountSmallDisk((32 + 16 * (n % 3)) * 1024 * 1024);
      if (typeof disk === "string") return { counts: {}, violations: [disk] };
      try {
        const result = await runFullDisk(disk, { bodyBytes: 200 * 10 ** (n % 3) });
        refused += result.refused;
        violations.push(...result.violations);
      } finally {
        disk.unmount();
      }
      progress(n + 1);
    }
    return { counts: { disks: count, refused }, violations };
  },
  describe: (all) => `${total(all, "disks")} disks filled, ${total(all, "refused")} refused`,
};

const hubs: Part = {
  name: "hubs",
  promise: "8",
  title: "one hub per data folder",
  count: 100,
  async run({ count }) {
    const result = await runOneHub({ seconds: count, kills: Math.ceil(count / 4) });
    const { refused, slowestRestartMs, violations } = result;
    return { counts: { hubs: count, refused, slowestRestartMs }, violations };
  },
  describe: (all) =>
    `${total(all, "refused")}/${total(all, "hubs")} refused, slowest restart ${Math.round(most(all, "slowestRestartMs"))} ms`,
};

const crowd: Part = {
  name: "crowd",
  promise: "5, 11",
  title: "a crowd, small caps",
  count: 1_000_000,
  slice: 250_000,
  async run({ seed, count, progress }) {
    const result = await runCrowd({
      agents: 50,
      messages: count,
      random: createRandom(seed),
      onMessages: progress,
    });
    const refused = Object.values(result.refused).reduce((sum, n) => sum + n, 0);
    const grew = result.growth > MOST_GROWTH ? [`memory grew by ${percent(result.growth)}`] : [];
    const counts = { accepted: result.accepted, refused, growth: result.growth };
    return { counts, violations: [...result.violations, ...grew] };
  },
  describe: (all) =>
    `${total(all, "accepted")} accepted, ${total(all, "refused")} refused, memory ${percent(most(all, "growth"))} up at most`,
};

const fuzz: Part = {
  name: "fuzz",
  promise: "14",
  title: "parsers never crash",
  count: 2_000_000,
  slice: 100_000,
  async run({ seed, count, progress }) {
    const { inputs, accepted, growthMb, violations } = await runFuzz({
      inputs: count,
      random: createRandom(seed),
      onInputs: progress,
    });
    return { counts: { inputs, accepted, growthMb }, violations };
  },
  describe: (all) =>
    `${total(all, "inputs")} inputs, ${total(all, "accepted")} accepted, memory ${most(all, "growthMb").toFixed(0)} MB up at most`,
};

/** Parts that are test files, which read their counts from the environment. */
const testFiles: Part[] = [
  fileOf({
    name: "runs",
    promise: "3",
    title: "first sent, first handed out",
    count: 20_000,
    slice: 2000,
    file: "test/fifo-per-pair.test.ts",
    variable: "HUDDLE_RUNS",
    did: "interleavings",
  }),
  fileOf({
    name: "jumps",
    promise: "7",
    title: "clock-proof",
    count: 1000,
    file: "test/clock-jumps.test.ts",
    variable: "HUDDLE_JUMPS",
    did: "jumps",
  }),
  fileOf({
    name: "orphans",
    promise: "9",
    title: "no orphans",
    count: 100,
    slice: 10,
    file: "test/e2e-long/no-orphans.test.ts",
    test: "no process of an agent",
    variable: "HUDDLE_ROUNDS",
    did: "kills with four kinds of agents, under two runtimes",
  }),
  cuts,
  fileOf({
    name: "workflows",
    promise: "–",
    title: "no step is lost or done twice unseen",
    count: 5,
    slice: 1,
    file: "test/e2e-long/workflow-kills.test.ts",
    variable: "HUDDLE_WORKFLOW_ROUNDS",
    did: "times a kill after each of eleven kinds of events",
  }),
  fileOf({
    name: "sockets",
    promise: "1, 2",
    title: "agents' sockets whose hub or client dies",
    count: 10,
    slice: 5,
    file: "test/e2e-long/agent-socket-faults.test.ts",
    variable: "HUDDLE_SOCKET_TIMES",
    did: "times 600 frames in flight and two kills",
  }),
  fileOf({
    name: "places",
    promise: "–",
    title: "others' mail is shown nowhere",
    count: 1,
    file: "test/e2e-long/private-mail.test.ts",
    variable: "HUDDLE_PLACES",
    did: "run, with every combination of paths, queries and bodies",
  }),
  fileOf({
    name: "moment",
    promise: "4",
    title: "one winner at one moment",
    count: 1000,
    file: "test/e2e-long/claims.test.ts",
    test: "at the same moment",
    variable: "HUDDLE_CLAIMERS",
    did: "agents claim one request",
  }),
  fileOf({
    name: "peers",
    promise: "12",
    title: "a hub that is linked by HTTP is killed",
    count: 20,
    file: "test/e2e-long/peers.test.ts",
    test: "both hubs are killed",
    variable: "HUDDLE_PEER_KILLS",
    did: "kills under load, either hub in turn",
  }),
  fileOf({
    name: "fabric",
    promise: "12",
    title: "a broken wire between hubs",
    count: 20,
    slice: 5,
    file: "test/e2e-long/fabric.test.ts",
    test: "the server is cut",
    variable: "HUDDLE_FABRIC_CYCLES",
    did: "times each of five faults of the server and the hubs",
  }),
  fileOf({
    name: "properties",
    promise: "–",
    title: "what holds for all input",
    count: 20,
    slice: 5,
    file: "src",
    variable: "HUDDLE_PROPERTY_TIMES",
    did: "times as many runs of each property of the unit tests as in CI",
  }),
  fileOf({
    name: "worktrees",
    promise: "–",
    title: "no work in a worktree is lost",
    count: 1,
    file: "test/e2e-long/worktrees.test.ts",
    test: "the hub is killed at some",
    variable: "HUDDLE_GIT_STEP",
    did: "run, with a kill at every call of git",
  }),
];

type FilePart = Pick<Part, "name" | "promise" | "title" | "count" | "slice"> & {
  file: string;
  /** Only tests of this name. */
  test?: string;
  variable: string;
  did: string;
};

function fileOf({ file, test, variable, did, ...part }: FilePart): Part {
  return {
    ...part,
    async run({ seed, count }) {
      const env = { [variable]: String(count), SEED: String(seed) };
      const violations = await runTests({ file, env, ...(test === undefined ? {} : { name: test }) });
      return { counts: { count }, violations };
    },
    describe: (all) => `${total(all, "count")} ${did}`,
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}

export const parts: readonly Part[] = [
  kills,
  ordered,
  ...testFiles,
  claims,
  faults,
  disks,
  hubs,
  crowd,
  fuzz,
  races,
  planted,
  ...commandParts,
];
