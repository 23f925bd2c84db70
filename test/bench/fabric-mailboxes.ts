import { readFileSync } from "node:fs";
import { cpuMs } from "./cpu-time.js";
import { openEndpoints } from "./endpoints.js";
import { startServer } from "./fabric-server.js";
import type { Lab } from "./lab.js";
import type { Measurement, Row } from "./row.js";
import { type Pair, summarize } from "./statistics.js";

const LIVE = 10;
const KIB_PER_MIB = 1024;

/** What a message costs, and what the server needs, by how many mailboxes that has. Each message goes by itself: the dearest way. */
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
    const rounds: Record<"empty" | "filled", Record<keyof Cost, Pair[]>> = {
      empty: { all: [], server: [] },
      filled: { all: [], server: [] },
    };
    for (let round = 0; round < (lab.quick ? 2 : 5); round++) {
      const few = await servers.few.costOfMessage();
      for (const kind of ["empty", "filled"] as const) {
        const cost = await servers[kind].costOfMessage();
        for (const part of ["all", "server"] as const)
          rounds[kind][part].push({ anchor: few[part], ours: cost[part] });
      }
    }
    const common = { against: `with ${LIVE}`, unit: "µs" } as const;
    const rows: Row[] = [
      {
        what: `Computing for a message, of both hubs and the server, with ${many.toLocaleString("en")} mailboxes on it`,
        ...common,
        ...summarize(rounds.empty.all),
        limit: { on: "ratio", is: "at most", bound: 1.2 },
      },
      { what: "The server's part of that", ...common, ...summarize(rounds.empty.server) },
      {
        what: "All of it, with something waiting in each mailbox",
        ...common,
        ...summarize(rounds.filled.all),
        limit: { on: "ratio", is: "at most", bound: 1.2 },
      },
      { what: "The server's part of that", ...common, ...summarize(rounds.filled.server) },
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

type Cost = { all: number; server: number };
type Served = { pid: number; costOfMessage: () => Promise<Cost> };

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
      const spent = () => ({
        server: cpuMs(server.pid),
        hubs: live.pids.reduce((ms, pid) => ms + cpuMs(pid), 0),
      });
      const before = spent();
      await send(count);
      const after = spent();
      const perMessage = (ms: number) => (ms * 1000) / (pairs.length * count);
      const ofServer = after.server - before.server;
      return {
        server: perMessage(ofServer),
        all: perMessage(ofServer + after.hubs - before.hubs),
      };
    },
  };
}

function memoryOf(pid: number): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / KIB_PER_MIB;
}
