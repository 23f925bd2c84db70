import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/library/index.js";
import { registerAgent } from "../fakes/member.js";
import { PACE_MS } from "./echo.js";
import type { BenchHub, Lab } from "./lab.js";
import { openRedis, type Reply } from "./redis-connection.js";
import { startRedis } from "./redis-server.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize, takeTurns } from "./statistics.js";
import { within } from "./within.js";

const INBOXES = 100;
const IN_FLIGHT = 64;
const MESSAGE = "x".repeat(1024);
const READ = ["XREADGROUP", "GROUP", "readers", "one", "COUNT", IN_FLIGHT, "BLOCK", 0, "STREAMS"] as const;

/** Takes a message to an inbox; resolves once it was stored, read there, and acknowledged. */
type Deliver = (inbox: number) => Promise<unknown>;

/** One sender and a hundred readers, by the library; against the same by Redis streams that sync every write. */
export const socketMail: Measurement = {
  name: "socket-mail",
  async run(lab) {
    const redis = await deliverByRedis(lab, await startRedis(lab));
    const ours = await deliverByLibrary(lab, await lab.hub({ set: ["inbox.cap=1000000"] }));
    const countMs = lab.quick ? 1000 : 2000;
    for (const deliver of [redis, ours]) await perSecond(deliver, countMs / 2);

    const speeds = await takeTurns(
      lab.quick ? 3 : 7,
      () => perSecond(redis, countMs),
      () => perSecond(ours, countMs),
    );
    const times: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const [anchors, own]: [number[], number[]] = [[], []];
      for (let i = 0; i < (lab.quick ? 30 : 100); i++) {
        anchors.push(await timed(redis, i));
        own.push(await timed(ours, i));
      }
      times.push({ anchor: median(anchors), ours: median(own) });
    }
    const against = "Redis streams, appendfsync always";
    return [
      {
        what: "1 KB to one of 100 inboxes over the library, stored, read, acknowledged, 64 in flight",
        against,
        unit: "/s",
        ...summarize(speeds),
        limit: { on: "ratio", is: "at least", bound: 0.4 },
      },
      {
        what: "The same, one at a time, p50",
        against,
        unit: "ms",
        ...summarize(times),
        limit: { on: "ratio", is: "at most", bound: 1.5 },
      },
    ];
  },
};

async function perSecond(deliver: Deliver, countMs: number): Promise<number> {
  const end = performance.now() + countMs;
  let delivered = 0;
  let inbox = 0;
  const lane = async () => {
    while (performance.now() < end) {
      await deliver(inbox++ % INBOXES);
      delivered++;
    }
  };
  const began = performance.now();
  await within(countMs + 30_000, "delivering", Promise.all(Array.from({ length: IN_FLIGHT }, lane)));
  return (delivered * 1000) / (performance.now() - began);
}

async function timed(deliver: Deliver, inbox: number): Promise<number> {
  await sleep(PACE_MS);
  const start = performance.now();
  await within(10_000, "a delivery", deliver(inbox % INBOXES));
  return performance.now() - start;
}

/** Whoever waits for a message, by its id, to be acknowledged. */
function createWaiters() {
  const waiting = new Map<string, () => void>();
  return {
    until: (id: string) => new Promise<void>((resolve) => void waiting.set(id, resolve)),
    tell(id: string) {
      waiting.get(id)?.();
      waiting.delete(id);
    },
  };
}

async function deliverByLibrary(lab: Lab, hub: BenchHub): Promise<Deliver> {
  const waiters = createWaiters();
  const open = async (name: string) => {
    const { token } = await registerAgent(hub.http, hub.join, { name });
    const agent = await connect({ url: hub.url, token });
    lab.onClose(agent.close);
    return agent;
  };
  const sender = await open("sender");
  for (let i = 0; i < INBOXES; i++) {
    const reader = await open(`reader-${i}`);
    void (async () => {
      for await (const mail of reader.inbox()) void mail.ack().then(() => waiters.tell(mail.id));
    })();
  }
  let sent = 0;
  return async (inbox) => {
    const id = `m-${++sent}`;
    const acknowledged = waiters.until(id);
    await Promise.all([sender.send(`reader-${inbox}`, { message: MESSAGE, id }), acknowledged]);
  };
}

async function deliverByRedis(lab: Lab, port: number): Promise<Deliver> {
  const waiters = createWaiters();
  const open = () => {
    const connection = openRedis(port);
    lab.onClose(connection.close);
    return connection;
  };
  const sender = open();
  for (let i = 0; i < INBOXES; i++) {
    await sender.ask("XGROUP", "CREATE", `inbox-${i}`, "readers", "$", "MKSTREAM");
    const reader = open();
    const read = async () => {
      for (;;) {
        const page = await reader.ask(...READ, `inbox-${i}`, ">");
        for (const { place, id } of entriesOf(page))
          void reader.ask("XACK", `inbox-${i}`, "readers", place).then(() => waiters.tell(id));
      }
    };
    read().catch(() => {}); // Until it is closed.
  }
  let sent = 0;
  return async (inbox) => {
    const id = `m-${++sent}`;
    const acknowledged = waiters.until(id);
    await Promise.all([
      sender.ask("XADD", `inbox-${inbox}`, "*", "id", id, "content", MESSAGE),
      acknowledged,
    ]);
  };
}

/** `[[stream, [[place, [key, value, …]], …]]]` */
function entriesOf(page: Reply): { place: string; id: string }[] {
  const [stream] = list(page);
  const [, entries = null] = list(stream ?? null);
  return list(entries).map((entry) => {
    const [place, fields = null] = list(entry);
    return { place: String(place), id: String(list(fields)[1]) };
  });
}

function list(reply: Reply): Reply[] {
  return Array.isArray(reply) ? reply : [];
}
