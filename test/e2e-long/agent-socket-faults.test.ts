import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DrivenSocket, openAgentSocket } from "../fakes/agent-socket.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { drainInbox, type Member, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

/* Clients that take no answers, acknowledge nothing, or die in the middle. */

const yard = createHubYard();
afterAll(() => yard.clear());

const SETTINGS = ["inbox.cap=1000000", "inbox.read_messages=1000", "presence.offline_after=24h"];
/** `npm run soak sockets` has many times as much of all of this. */
const TIMES = Number(process.env["HUDDLE_SOCKET_TIMES"] ?? 1);
/** Far more than a hub takes of one socket at a time. */
const FRAMES = 600 * TIMES;

let shared: HubProcess;
beforeAll(async () => {
  shared = await yard.start({ set: [...SETTINGS, "events.agent_readers=200"] });
});

let pairs = 0;

/** Two agents of this test's own. */
async function openPair(hub = shared) {
  const pair = ++pairs;
  const ann = await registerAgent(hub.http, hub.join, { name: `ann-${pair}` });
  const bob = await registerAgent(hub.http, hub.join, { name: `bob-${pair}` });
  const sendFrame = (n: number) => ({ n, op: "send", to: bob.name, message: `${n}`, id: `m-${n}` });
  return { ann, bob, sendFrame, open: (member: Member) => openAgentSocket(hub.url, { token: member.token }) };
}

const expectAlive = async (hub: HubProcess) =>
  expect((await hub.http.call("GET", "/api/health", { token: hub.operator })).json).toMatchObject({
    ok: true,
  });

const numbers = Array.from({ length: FRAMES }, (_, i) => i + 1);

test("hundreds of frames at once are all answered, a few at a time, and stored once each", async () => {
  const { ann, bob, sendFrame, open } = await openPair();
  const socket = await open(ann);

  for (const n of numbers) socket.send(sendFrame(n));

  await socket.until(({ n }) => n === FRAMES);
  const answers = socket.frames.filter(({ answer }) => answer !== undefined);
  expect(new Set(answers.map(({ n }) => n)).size).toBe(FRAMES);
  expect((await drainInbox(bob)).map(({ content }) => Number(content))).toEqual(numbers);
  socket.cut();
});

test("a client that dies with hundreds in flight sends them again under the same ids: each is there once", async () => {
  const { ann, bob, sendFrame, open } = await openPair();
  const dying = await open(ann);
  for (const n of numbers) dying.send(sendFrame(n));
  await dying.until(({ n }) => n === FRAMES / 10);
  dying.cut();

  const again = await open(ann);
  for (const n of numbers) again.send(sendFrame(n));
  await again.until(({ n }) => n === FRAMES);

  const read = await drainInbox(bob);
  expect(read.map(({ content }) => Number(content))).toEqual(numbers);
  expect(again.frames.filter(({ code }) => code !== undefined)).toEqual([]);
  again.cut();
});

/** Far more than fits into the buffers of any kernel. */
const ASKED = 100;

test("a client that sends and never reads is read no further, then dropped, and the hub goes on", async () => {
  const set = ["events.stall=500ms", "events.buffer=64KiB", "events.linger=500ms"];
  const hub = await yard.start({ set: [...SETTINGS, ...set] });
  const { ann, bob, open } = await openPair(hub);
  const socket = await open(ann);
  for (let n = 0; n < 10; n++) await ann.send(bob.name, "x".repeat(100_000));
  socket.pause();
  // Each answer is a megabyte; what the kernel takes of them on the way is not the hub's.
  for (let n = 1; n <= ASKED; n++) socket.send({ n, op: "events", after: 0, limit: 500 });

  await patiently(async () => expect(await readersOf(hub)).toBe(0));

  await expectAlive(hub);
  expect(socket.frames.length).toBeLessThan(ASKED);
  socket.cut();
});

test("a client that reads and never acknowledges has its window in hand, and no more", async () => {
  const { ann, bob, sendFrame, open } = await openPair();
  const socket = await open(bob);
  await socket.ask("mail", { window: 50 });
  const sender = await open(ann);
  for (let n = 1; n <= 200; n++) sender.send(sendFrame(n));
  await sender.until(({ n }) => n === 200);
  await socket.until(({ mail = [] }) => mail.some(({ content }) => content === "50"));
  await socket.ask("list_agents");

  expect(socket.contents()).toHaveLength(50);
  const oldest = socket.frames.find(({ mail }) => mail !== undefined)?.mail?.[0]?.id ?? "";
  await socket.ask("ack", { ids: [oldest] });
  await socket.until(({ mail = [] }) => mail.some(({ content }) => content === "51"));
  expect(socket.contents()).toHaveLength(51);
  for (const one of [socket, sender]) one.cut();
});

test("forty sockets that come and go leave no reader and no mail behind", async () => {
  const { ann, bob, open } = await openPair();
  const rounds = 2 * TIMES;
  for (let round = 0; round < rounds; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(bob)));
    await Promise.all(sockets.map((socket) => socket.ask("mail", { window: 3 })));
    for (let i = 0; i < 20; i++) await ann.send(bob.name, `${round}-${i}`);
    for (const socket of sockets) socket.cut();
  }
  await patiently(async () => expect(await readersOf(shared)).toBe(0));

  expect(await drainInbox(bob)).toHaveLength(20 * rounds);
});

describe("a hub that is killed under a pipelined load", () => {
  test("has lost nothing that it answered, doubled nothing, and brings back what was not acknowledged", async () => {
    const home = yard.home();
    const start = () => yard.start({ home, set: SETTINGS });
    let hub = await start();
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
    const ledger = createSocketLedger();

    for (let kill = 0; kill < 2 * TIMES; kill++) {
      const [sender, reader] = await Promise.all(
        [ann, bob].map(({ token }) => openAgentSocket(hub.url, { token })),
      );
      if (sender === undefined || reader === undefined) throw new Error("no sockets");
      ledger.load(sender, 300);
      ledger.read(reader);
      await ledger.progress(100);
      await hub.kill();
      hub = await start();
    }

    const [sender, reader] = await Promise.all(
      [ann, bob].map(({ token }) => openAgentSocket(hub.url, { token })),
    );
    if (sender === undefined || reader === undefined) throw new Error("no sockets");
    ledger.load(sender, 0);
    ledger.read(reader);
    await ledger.settled();
    expect(ledger.violations()).toEqual([]);
    expect(await hub.http.call("GET", "/api/inbox", { token: bob.token })).toMatchObject({
      json: { messages: [] },
    });
    await hub.stop();
  });
});

async function readersOf(hub: HubProcess): Promise<unknown> {
  return (await hub.http.call("GET", "/api/health", { token: hub.operator })).json["readers"];
}

/**
 * What the two clients know, kept outside the hub: what was issued, what was answered, what came, what is known to be
 * acknowledged. What is without an answer is sent again on the next socket, under its id.
 */
function createSocketLedger() {
  const issued = new Map<string, { seq?: number }>();
  const came = new Map<string, number>();
  const acked = new Set<string>();
  const wrong: string[] = [];
  let n = 0;
  let accepted = 0;

  function load(socket: DrivenSocket, count: number) {
    const unanswered = [...issued].filter(([, { seq }]) => seq === undefined).map(([id]) => id);
    const fresh = Array.from({ length: count }, (_, i) => `k-${issued.size + i}`);
    for (const id of [...unanswered, ...fresh]) {
      const entry = issued.get(id) ?? {};
      issued.set(id, entry);
      const own = ++n;
      void socket
        .until((frame) => frame.n === own)
        .then(({ answer, code }) => {
          if (answer === undefined) {
            if (code !== "SHUTTING_DOWN") wrong.push(`${id} was refused with ${code}`);
            return;
          }
          entry.seq = Number(answer["seq"]);
          accepted++;
        })
        .catch(() => {}); // The hub was killed before it answered.
      socket.send({ n: own, op: "send", to: "bob", message: id, id });
    }
  }

  function read(socket: DrivenSocket) {
    const seenHere = new Set<string>();
    const take = ({ mail = [] }: { mail?: { id: string; seq: number }[] }) => {
      for (const { id, seq } of mail) {
        if (acked.has(id)) wrong.push(`${id} came after its acknowledgement was answered`);
        if (seenHere.has(id)) wrong.push(`${id} came twice on one socket`);
        if ((came.get(id) ?? seq) !== seq) wrong.push(`${id} came under two numbers`);
        seenHere.add(id);
        came.set(id, seq);
      }
      const ids = mail.map(({ id }) => id);
      if (ids.length > 0)
        void socket
          .ask("ack", { ids })
          .then(({ answer }) => {
            if (answer !== undefined) for (const id of ids) acked.add(id);
          })
          .catch(() => {});
      return false;
    };
    socket.until(take).catch(() => {});
    socket.ask("mail", { window: 100 }).catch(() => {});
  }

  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  return {
    load,
    read,
    progress(more: number) {
      const goal = accepted + more;
      return until(() => accepted >= goal);
    },
    /** Everything issued is answered, and everything answered was read and acknowledged. */
    settled: () => until(() => [...issued].every(([id, { seq }]) => seq !== undefined && acked.has(id))),
    violations() {
      const moved = [...issued].filter(([id, { seq }]) => seq !== came.get(id));
      return [...wrong, ...moved.map(([id]) => `${id} was answered with another number than it came under`)];
    },
  };
}
