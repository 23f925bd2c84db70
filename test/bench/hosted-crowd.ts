import { setTimeout as sleep } from "node:timers/promises";
import { cpuMs } from "./cpu-time.js";
import { hostingHub, spawnAgents } from "./inject.js";
import type { BenchHub, Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { summarize } from "./statistics.js";
import { within } from "./within.js";

const AGENTS = 50;
const MIB = 1024 * 1024;

/** Fifty agents under one hub: a minute of mail to all of them, then silence. */
export const hostedCrowd: Measurement = {
  name: "crowd",
  async run(lab) {
    const hub = await hostingHub(lab, undefined, ["hosting.agents=60", "log.level=warn"]);
    const alone = await cpuPerSecond(hub, lab);
    const names = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`);
    await within(240_000, "starting fifty agents", spawnAgents(hub, names));
    await load(hub, names, lab.quick ? 3000 : 15_000);
    const before = await memory(hub);
    const sent = await load(hub, names, lab.quick ? 6000 : 60_000);
    const after = await memory(hub);
    await checkNothingLost(hub, sent);
    const idle = await cpuPerSecond(hub, lab);
    return [
      {
        what: `Memory of a hub that runs ${AGENTS} agents, after a minute of mail`,
        against: "before that minute",
        unit: "MiB",
        ...summarize([{ anchor: before / MIB, ours: after / MIB }]),
        limit: { on: "ratio", is: "at most", bound: 1.25 },
      },
      {
        what: `CPU time per second of a hub with ${AGENTS} idle agents`,
        against: "with none",
        unit: "ms",
        ...summarize([{ anchor: Math.max(alone, 1), ours: idle }]),
        limit: { on: "ours", is: "at most", bound: 30 },
      },
    ];
  },
};

/** Sends to everybody in turn for this long, a few at a time; answers how many there were. */
async function load(hub: BenchHub, names: readonly string[], forMs: number): Promise<string[]> {
  const until = performance.now() + forMs;
  const ids: string[] = [];
  const lane = async (start: number) => {
    for (let i = start; performance.now() < until; i += 4) {
      const path = `/api/agents/${names[i % names.length]}/messages`;
      const answer = await hub.http.call("POST", path, { token: hub.operator, body: { message: `nr ${i}` } });
      if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${answer.text}`);
      ids.push(String(answer.json["message_id"]));
    }
  };
  await Promise.all([0, 1, 2, 3].map(lane));
  return ids;
}

async function memory(hub: BenchHub): Promise<number> {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return Number(json["memory_bytes"]);
}

async function checkNothingLost(hub: BenchHub, ids: readonly string[]): Promise<void> {
  const deadline = performance.now() + 60_000;
  let open = [...ids];
  while (open.length > 0) {
    if (performance.now() > deadline)
      throw new Error(`${open.length} of ${ids.length} messages never arrived`);
    const left: string[] = [];
    for (const id of open) {
      const { json } = await hub.http.call("GET", `/api/messages/${id}`, { token: hub.operator });
      const [delivery] = json["deliveries"] as { state: string }[];
      if (delivery?.state !== "finished") left.push(id);
    }
    open = left;
  }
}

async function cpuPerSecond(hub: BenchHub, lab: Lab): Promise<number> {
  await sleep(1000);
  const seconds = lab.quick ? 3 : 10;
  const before = cpuMs(hub.pid);
  await sleep(seconds * 1000);
  return (cpuMs(hub.pid) - before) / seconds;
}
