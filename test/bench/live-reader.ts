import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLive } from "../fakes/live-stream.js";
import { cpuMs } from "./cpu-time.js";
import { spawnAgents } from "./inject.js";
import type { BenchHub } from "./lab.js";
import type { Measurement } from "./row.js";
import { type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

const AGENTS = 10;

/** Ten agents stream: what it costs the hub that somebody looks on. */
export const liveReader: Measurement = {
  name: "live",
  async run(lab) {
    const acp = [process.execPath, resolve("test", "fakes", "scripted-agent", "acp.mjs")];
    const hub = await lab.hub({
      set: [`backends.bench.acp=${JSON.stringify(acp)}`, 'allowed_roots=["/"]', "log.level=warn"],
    });
    const names = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`);
    await within(120_000, "starting ten agents", spawnAgents(hub, names));
    const seconds = lab.quick ? 4 : 10;
    await stream(hub, names, seconds); // Warms it up.
    const costs: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const anchor = await stream(hub, names, seconds);
      const reader = await openLive(hub.url, "", { authorization: `Bearer ${hub.operator}` });
      const ours = await stream(hub, names, seconds);
      const told = reader.frames.length;
      reader.close();
      if (told < AGENTS * seconds) throw new Error(`only ${told} frames came`);
      costs.push({ anchor, ours });
    }
    return [
      {
        what: `CPU of the hub while ${AGENTS} agents stream and somebody looks at all of them`,
        against: "while nobody looks",
        unit: "ms",
        // A desk looks at one agent at a time: what that may cost is a limit of `desk-crowd`.
        ...summarize(costs),
      },
    ];
  },
};

/** What the hub computed while all of them streamed; afterwards they have come to their end. */
async function stream(hub: BenchHub, names: readonly string[], seconds: number): Promise<number> {
  const call = (method: string, path: string, body?: object) =>
    hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });
  const ticks = Math.ceil(((seconds + 2) * 1000) / 20);
  for (const name of names)
    await call("POST", `/api/agents/${name}/messages`, { message: `!stream ${ticks}` });
  await sleep(1000);
  const before = cpuMs(hub.pid);
  await sleep(seconds * 1000);
  const cost = cpuMs(hub.pid) - before;
  for (const name of names) {
    await within(60_000, `${name} to be idle`, untilIdle(name));
  }
  return cost;

  async function untilIdle(name: string) {
    while ((await call("GET", `/api/agents/${name}`)).json["state"] !== "idle") await sleep(50);
  }
}
