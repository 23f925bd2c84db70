import { setTimeout as sleep } from "node:timers/promises";
import { type Member, registerAgent } from "../fakes/member.js";
import { buildRequest, openConnection } from "./http-connection.js";
import type { BenchHub, Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

const READERS = 1000;
const MIB = 1024 * 1024;

/** What open waits cost in memory: the same hub with the same agents, idle, then with all of them waiting. */
export const waitingReaders: Measurement = {
  name: "readers",
  async run(lab) {
    const pairs: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 1 : 3); round++) pairs.push(await measureHub(lab));
    return [
      {
        what: `Memory of the hub with ${READERS.toLocaleString("en")} waiting readers`,
        against: "idle, as many agents",
        unit: "MiB",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 1.4 },
      },
    ];
  },
};

async function measureHub(lab: Lab): Promise<Pair> {
  const hub = await lab.hub();
  const agents = await Promise.all(
    Array.from({ length: READERS }, (_, i) => registerAgent(hub.http, hub.join, { name: `agent-${i}` })),
  );
  const [some] = agents;
  if (some === undefined) throw new Error("nobody registered");
  for (const agent of agents.slice(0, 200)) await agent.inbox();
  hub.http.close(); // The connections that it opened for all that go too.

  const anchor = await memoryOf(hub, some);
  const { port } = hub;
  const connections = agents.map(({ token }) => {
    const connection = openConnection(port);
    connection.send(buildRequest({ port, method: "GET", path: "/api/inbox?wait=120", token }));
    return connection;
  });
  lab.onClose(() => connections.map(({ close }) => close()));
  await within(30_000, "waiting of all readers", untilWaiting(some));
  const ours = await memoryOf(hub, some);
  for (const { close } of connections) close();
  await lab.stop(hub);
  return { anchor, ours };
}

type Health = { readers: number; memory_bytes: number };

async function untilWaiting(agent: Member): Promise<void> {
  while ((await healthBy(agent)).readers < READERS) await sleep(50);
}

/** The median over two seconds, the first left out: what was just allocated for requests may go. */
async function memoryOf(hub: BenchHub, agent: Member): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < 10; i++) {
    await sleep(200);
    samples.push((await healthBy(agent)).memory_bytes / MIB);
  }
  hub.http.close();
  return median(samples.slice(5));
}

async function healthBy(agent: Member): Promise<Health> {
  const { json } = await agent.call("GET", "/api/health");
  return json as Health;
}
