import { readFileSync } from "node:fs";
import { cpuMs } from "./cpu-time.js";
import { openEndpoints } from "./endpoints.js";
import { startServer } from "./fabric-server.js";
import type { Lab } from "./lab.js";
import type { Measurement, Row } from "./row.js";
import { type Pair, summarize } from "./statistics.js";

const LIVE = 10;
const KIB_PER_MIB = 1024;

/** What a message costs the server, and what it needs, by how many mailboxes it has. Each message goes by itself: the dearest way. */
export const fabricMailboxes: Measurement = {
  name: "fabric-mailboxes",
  longestMs: 1_800_000,
  async run(lab) {
    const many = lab.quick ? 200 : 1000;
    const servers = {
      few: await openServer(lab, LIVE, false),
      empty: await openServer(lab, many, false),
      filled: await openServer(lab, many, true),
    };
    const memory = { few: memoryOf(servers.few.pid), empty: memoryOf(servers.empty.pid) };
    const rounds = { empty: [] as Pair[], filled: [] as Pair[] };
    for (let round = 0; round < (lab.quick ? 2 : 5); round++) {
      const anchor = await servers.few.costOfMessage();
      rounds.empty.push({ anchor, ours: await servers.empty.costOfMessage() });
      rounds.filled.push({ anchor, ours: await servers.filled.costOfMessage() });
    }
    const common = { against: `with ${LIVE}`, unit: "µs" } as const;
    const rows: Row[] = [
      {
        what: `Server time of a message with ${many.toLocaleString("en")} mailboxes on the server`,
        ...common,
        ...summarize(rounds.empty),
        limit: { on: "ratio", is: "at most", bound: 1.2 },
      },
      {
        what: "The same, with something waiting in each of them",
        ...common,
        ...summarize(rounds.filled),
      },
      {
        what: `Memory of a server with ${many.toLocaleString("en")} mailboxes`,
        against: `with ${LIVE}`,
        unit: "MiB",
        ...summarize([{ anchor: memory.few, ours: memory.empty }]),
      },
    ];
    return rows;
  },
};

type Served = { pid: number; costOfMessage: () => Promise<number> };

async function openServer(lab: Lab, mailboxes: number, withMail: boolean): Promise<Served> {
  const server = await startServer(lab);
  const names = Array.from({ length: LIVE }, (_, n) => `hub-${n}`);
  const live = await openEndpoints(lab, { processes: 2, names, mailPerBatch: 1 }, server);
  await live.leaveMailboxes(mailboxes - LIVE, withMail);
  const pairs = Array.from({ length: LIVE / 2 }, (_, n) => ({
    from: `hub-${2 * n}`,
    to: `hub-${2 * n + 1}`,
  }));
  const send = (count: number) => live.exchange(pairs.map((pair) => ({ ...pair, count })));
  await live.introduce(pairs);
  await send(100);
  const count = lab.quick ? 400 : 1000;
  return {
    pid: server.pid,
    async costOfMessage() {
      const before = cpuMs(server.pid);
      await send(count);
      return ((cpuMs(server.pid) - before) * 1000) / (pairs.length * count);
    },
  };
}

function memoryOf(pid: number): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / KIB_PER_MIB;
}
