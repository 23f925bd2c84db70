import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Measurement } from "./row.js";
import { summarize } from "./statistics.js";
import { bridge, joinMcp, type StdioProcess, startStdio } from "./stdio-process.js";
import { within } from "./within.js";

const PROCESSES = 20;
const SETTLE_MS = 3_000;

/** What idle bridges hold, each counted with its share of what they have in common (PSS). */
export const bridgeMemory: Measurement = {
  name: "bridge-memory",
  async run(lab) {
    const { home } = await lab.hub();
    const bare = startMany(() => startStdio(lab, ["-e", "setInterval(() => {}, 1e6)"]));
    await sleep(SETTLE_MS);
    const anchor = memoryOf(bare);
    for (const { child } of bare) child.kill("SIGKILL");
    const bridges = startMany(() => startStdio(lab, [bridge], { home, cwd: lab.folder() }));
    await within(60_000, "connecting the bridges", Promise.all(bridges.map(joinMcp)));
    await sleep(SETTLE_MS);
    const ours = memoryOf(bridges);
    return [
      {
        what: `Memory of an idle bridge (PSS, ${PROCESSES} of them)`,
        against: "an idle Node",
        unit: "MiB",
        ...summarize([{ anchor, ours }]),
        limit: { on: "ratio", is: "at most", bound: 1.2 },
      },
    ];
  },
};

function startMany(start: () => StdioProcess): StdioProcess[] {
  return Array.from({ length: PROCESSES }, start);
}

function memoryOf(processes: readonly StdioProcess[]): number {
  const kilobytes = processes.map(({ pid }) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / processes.length / 1024;
}
