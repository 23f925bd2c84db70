import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../fakes/hub-sides.js";
import { drainInbox, type Member, memberAt, registerAgent } from "../fakes/member.js";
import type { Load, Loaded } from "./children/http-load.js";
import { cpuMs } from "./cpu-time.js";
import { buildRequest, openConnection } from "./http-connection.js";
import type { BenchHub, Child, Lab } from "./lab.js";
import type { Measurement, Row } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

/* What hubs cost each other: a heartbeat, a message, the mail of a peer that was away, and peers that are not there. */

const MESSAGE = "x".repeat(200);
const MANY = ["inbox.cap=1000000", "agent-comms.inbox_share=1000000"];

type Side = { hub: BenchHub; name: string; peerPort: number };

export const settings = (name: string, port: number) => [
  ...MANY,
  "agent-comms.host=127.0.0.1",
  `agent-comms.port=${port}`,
  `agent-comms.name=${name}`,
];

async function startSide(lab: Lab, name: string): Promise<Side> {
  const peerPort = await freePort();
  return { hub: await lab.hub({ set: settings(name, peerPort) }), name, peerPort };
}

export const person = ({ http, operator }: BenchHub, method: string, path: string, body?: object) =>
  http.call(method, path, { token: operator, ...(body === undefined ? {} : { body }) });

export async function pairOfHubs(lab: Lab) {
  const [bmo, r2d2] = [await startSide(lab, "bmo"), await startSide(lab, "r2d2")];
  const { json } = await person(bmo.hub, "POST", "/api/peers/invite");
  const joined = await person(r2d2.hub, "POST", "/api/peers/join", { line: String(json["line"]) });
  if (joined.status !== 201) throw new Error(`not paired: ${joined.text}`);
  const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  await registerAgent(bmo.hub.http, bmo.hub.join, { name: "carl" });
  const bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
  return { bmo, r2d2, ann, bob };
}

export const links: Measurement = {
  name: "links",
  async run(lab) {
    return [...(await heartbeatAndMessage(lab)), await drain(lab), await absentPeers(lab)];
  },
};

async function heartbeatAndMessage(lab: Lab): Promise<Row[]> {
  const { bmo, r2d2, ann, bob } = await pairOfHubs(lab);
  const secret = "a-secret-of-the-measurement";
  const home = await lab.hub({
    set: [
      ...settings("plain", await freePort()),
      "agent-comms.secret=env:BENCH_SECRET",
      "agent-comms.enabled=true",
    ],
    env: { BENCH_SECRET: secret },
  });
  const { json } = await person(home, "GET", "/api/peers");
  const port = (json["self"] as { port: number }).port;
  const connection = openConnection(port);
  lab.onClose(connection.close);
  const ask = buildRequest({ port, method: "GET", path: "/agent/status", token: secret });
  const beat = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const { status, body } = await within(5000, "a heartbeat", connection.ask(ask));
      if (status !== 200) throw new Error(`a heartbeat is refused: ${body}`);
    }
  };
  await beat(500);
  const beats = lab.quick ? 1000 : 5000;
  const before = cpuMs(home.pid);
  await beat(beats);
  const perBeat = (cpuMs(home.pid) - before) / beats;

  const roundTrip = timed(() => beat(1));
  const sender = openConnection(bmo.hub.port);
  const reader = openConnection(r2d2.hub.port);
  lab.onClose(sender.close);
  lab.onClose(reader.close);
  const sendTo = (to: string) =>
    buildRequest({
      port: bmo.hub.port,
      method: "POST",
      path: `/api/agents/${to}/messages`,
      token: ann.token,
      body: { message: MESSAGE },
    });
  const [local, across] = [sendTo("carl"), sendTo("bob@r2d2")];
  const wait = buildRequest({
    port: r2d2.hub.port,
    method: "GET",
    path: "/api/inbox?wait=60",
    token: bob.token,
  });
  const localSend = timed(() => within(5000, "a send", sender.ask(local)));
  async function acrossHubs(): Promise<number> {
    const reading = reader.ask(wait);
    await sleep(5);
    const start = performance.now();
    const sending = sender.ask(across);
    const { messages } = JSON.parse((await within(20_000, "a message of another hub", reading)).body) as {
      messages: { id: string }[];
    };
    const took = performance.now() - start;
    await sending;
    await bob.ack(messages.map(({ id }) => id));
    // The receipts come home, so that the next begins with nothing under way.
    await sleep(20);
    return took;
  }
  for (let n = 0; n < 50; n++) await acrossHubs();
  const pairs: Pair[] = [];
  for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
    const times = { send: [] as number[], trip: [] as number[], across: [] as number[] };
    for (let n = 0; n < (lab.quick ? 20 : 60); n++) {
      times.send.push(await localSend());
      times.trip.push(await roundTrip());
      times.across.push(await acrossHubs());
    }
    pairs.push({ anchor: 2 * median(times.send) + median(times.trip), ours: median(times.across) });
  }
  for (const hub of [home, bmo.hub, r2d2.hub]) await lab.stop(hub);
  return [
    {
      what: "Hub time of a heartbeat (GET /agent/status)",
      against: "1 ms",
      unit: "ms",
      ...summarize([{ anchor: 1, ours: perBeat }]),
      limit: { on: "ours", is: "at most", bound: 1 },
    },
    {
      what: "Send until a reader at another hub has it, p50",
      against: "two local sends and an HTTP round trip, p50",
      unit: "ms",
      ...summarize(pairs),
      limit: { on: "ratio", is: "at most", bound: 1 },
    },
  ];
}

const timed = (act: () => Promise<unknown>) => async () => {
  const start = performance.now();
  await act();
  return performance.now() - start;
};

/** Mail that waited for a peer until it came back, against sends within one hub at 32 connections. */
async function drain(lab: Lab): Promise<Row> {
  const load = await lab.child("http-load");
  const { bmo, r2d2, ann, bob } = await pairOfHubs(lab);
  const rate = await localRate(load, bmo.hub, ann, lab.quick);
  await lab.stop(r2d2.hub);
  const count = lab.quick ? 2000 : 10_000;
  await writeMany(ann, count);

  const back = await lab.hub({ home: r2d2.hub.home, set: settings(r2d2.name, r2d2.peerPort) });
  const reader = memberAt(back.http, bob);
  const unread = async () => Number((await reader.call("GET", "/api/health")).json["unread"] ?? 0);
  const began = await until(unread, (n) => n > 0);
  const ended = await until(unread, (n) => n >= count);
  const perSecond = ((ended.n - began.n) * 1000) / (ended.at - began.at);
  checkOrder(
    (await drainInbox(reader)).map(({ content }) => content),
    count,
  );
  return {
    what: `${count.toLocaleString("en")} messages that waited for another hub go out, in order`,
    against: "durable sends within one hub, 32 connections",
    unit: "/s",
    ...summarize([{ anchor: rate, ours: perSecond }]),
    limit: { on: "ratio", is: "at least", bound: 0.5 },
  };
}

async function localRate(load: Child, hub: BenchHub, ann: Member, quick: boolean): Promise<number> {
  const asked: Load = {
    port: hub.port,
    path: "/api/agents/carl/messages",
    token: ann.token,
    body: { message: MESSAGE },
    connections: 32,
    warmUpMs: 300,
    countMs: quick ? 1000 : 2000,
  };
  const { perSecond, refused, refusal } = (await load.ask(asked)) as Loaded;
  if (refused > 0) throw new Error(`${refused} sends were refused: ${refusal}`);
  return perSecond;
}

const WRITERS = 16;

export async function writeMany(ann: Member, count: number): Promise<void> {
  const write = async (writer: number) => {
    for (let n = writer; n < count; n += WRITERS) {
      const { status, text } = await ann.send("bob@r2d2", `${n} ${MESSAGE}`);
      if (status !== 202) throw new Error(`not sent: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}

/** Those of one writer were sent one after the other. */
export function checkOrder(texts: readonly string[], count: number): void {
  const numbers = texts.map((text) => Number(text.split(" ", 1)[0]));
  if (numbers.length !== count || new Set(numbers).size !== count)
    throw new Error(`${numbers.length} came of ${count}, ${new Set(numbers).size} of them different`);
  for (let writer = 0; writer < WRITERS; writer++) {
    const own = numbers.filter((n) => n % WRITERS === writer);
    if (own.some((n, at) => at > 0 && n < (own[at - 1] ?? 0))) throw new Error("they came out of order");
  }
}

export async function until(read: () => Promise<number>, isEnough: (n: number) => boolean) {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const n = await read();
    if (isEnough(n)) return { n, at: performance.now() };
    if (performance.now() > deadline) throw new Error(`it stays at ${n}`);
    await sleep(20);
  }
}

/** What a hub computes while nothing happens: with fifty peers that are written down and not there, and with none. */
async function absentPeers(lab: Lab): Promise<Row> {
  const ms = lab.quick ? 5000 : 30_000;
  const port = await freePort();
  const peers = Array.from({ length: 50 }, (_, n) => ({ name: `peer-${n}`, host: "127.0.0.1", port }));
  const secret = { BENCH_SECRET: "a-secret-of-the-measurement" };
  const own = async () => [
    ...settings("bmo", await freePort()),
    "agent-comms.secret=env:BENCH_SECRET",
    "agent-comms.enabled=true",
  ];
  const none = await lab.hub({ set: await own(), env: secret });
  const many = await lab.hub({
    set: [...(await own()), `agent-comms.peers=${JSON.stringify(peers)}`],
    env: secret,
  });
  // What a start does is over.
  await sleep(lab.quick ? 3000 : 10_000);
  const pairs: Pair[] = [];
  for (let round = 0; round < (lab.quick ? 1 : 3); round++) {
    const before = [cpuMs(none.pid), cpuMs(many.pid)] as const;
    await sleep(ms);
    // A tick of the kernel's clock more for each: an idle hub may not have used a single one.
    const used = (pid: number, from: number) => ((cpuMs(pid) - from + 10) * 1000) / ms;
    pairs.push({ anchor: used(none.pid, before[0]), ours: used(many.pid, before[1]) });
  }
  return {
    what: "Computing in a second of an idle hub with 50 peers that are not there",
    against: "the same with no peers",
    unit: "ms",
    ...summarize(pairs),
    limit: { on: "ratio", is: "at most", bound: 1.5 },
  };
}
