import { afterAll, describe, expect, test } from "vitest";
import { type DrivenSocket, openAgentSocket } from "../fakes/agent-socket.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { drainInbox, type Member, registerAgent } from "../fakes/member.js";

/* Clients that take no answers, acknowledge nothing, or die in the middle. */

const yard = createHubYard();
afterAll(() => yard.clear());

const SETTINGS = ["inbox.cap=1000000", "inbox.read_messages=1000", "presence.offline_after=24h"];

async function openPair(...set: string[]) {
  const hub = await yard.start({ set: [...SETTINGS, ...set] });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
  return { hub, ann, bob, open: (member: Member) => openAgentSocket(hub.url, { token: member.token }) };
}

const expectAlive = async (hub: HubProcess) =>
  expect((await hub.http.call("GET", "/api/health", { token: hub.operator })).json).toMatchObject({
    ok: true,
  });

const sendFrame = (n: number, message: string) => ({ n, op: "send", to: "bob", message, id: `m-${n}` });

test("10,000 frames at once are all answered, a few at a time, and stored once each", async () => {
  const { hub, ann, bob, open } = await openPair();
  const socket = await open(ann);

  for (let n = 1; n <= 10_000; n++) socket.send(sendFrame(n, `${n}`));

  await socket.until(({ n }) => n === 10_000);
  const answers = socket.frames.filter(({ answer }) => answer !== undefined);
  expect(new Set(answers.map(({ n }) => n)).size).toBe(10_000);
  expect((await drainInbox(bob)).map(({ content }) => Number(content))).toEqual(
    Array.from({ length: 10_000 }, (_, i) => i + 1),
  );
  await hub.stop();
});

test("a client that dies with 10,000 in flight sends them again under the same ids: each is there once", async () => {
  const { hub, ann, bob, open } = await openPair();
  const dying = await open(ann);
  for (let n = 1; n <= 10_000; n++) dying.send(sendFrame(n, `${n}`));
  await dying.until(({ n }) => n === 1000);
  dying.cut();

  const again = await open(ann);
  for (let n = 1; n <= 10_000; n++) again.send(sendFrame(n, `${n}`));
  await again.until(({ n }) => n === 10_000);

  const read = await drainInbox(bob);
  expect(read.map(({ content }) => Number(content))).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
  expect(again.frames.filter(({ code }) => code !== undefined)).toEqual([]);
  await hub.stop();
});

test("a client that sends and never reads is read no further, then dropped, and the hub goes on", async () => {
  const { hub, ann, open } = await openPair(
    "events.stall=500ms",
    "events.buffer=64KiB",
    "events.linger=500ms",
  );
  const socket = await open(ann);
  socket.pause();
  // Each answer is some kilobytes; what the kernel takes of them on the way is not the hub's.
  for (let n = 1; n <= 20_000; n++) socket.send({ n, op: "list_agents" });

  await expect.poll(() => readersOf(hub), { timeout: 60_000, interval: 50 }).toBe(0);

  await expectAlive(hub);
  expect(socket.frames.length).toBeLessThan(20_000);
  socket.cut();
  await hub.stop();
});

test("a client that reads and never acknowledges has its window in hand, and no more", async () => {
  const { hub, ann, bob, open } = await openPair();
  const socket = await open(bob);
  await socket.ask("mail", { window: 50 });
  const sender = await open(ann);
  for (let n = 1; n <= 1000; n++) sender.send(sendFrame(n, `${n}`));
  await sender.until(({ n }) => n === 1000);
  await socket.until(({ mail = [] }) => mail.some(({ content }) => content === "50"));
  await socket.ask("list_agents");

  expect(socket.contents()).toHaveLength(50);
  const oldest = socket.frames.find(({ mail }) => mail !== undefined)?.mail?.[0]?.id ?? "";
  await socket.ask("ack", { ids: [oldest] });
  await socket.until(({ mail = [] }) => mail.some(({ content }) => content === "51"));
  expect(socket.contents()).toHaveLength(51);
  await hub.stop();
});

test("a hundred sockets that come and go leave no reader and no mail behind", async () => {
  const { hub, ann, bob, open } = await openPair("events.agent_readers=200");
  for (let round = 0; round < 5; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(bob)));
    await Promise.all(sockets.map((socket) => socket.ask("mail", { window: 3 })));
    for (let i = 0; i < 20; i++) await ann.send("bob", `${round}-${i}`);
    for (const socket of sockets) socket.cut();
  }
  await expect.poll(() => readersOf(hub), { timeout: 60_000, interval: 50 }).toBe(0);

  expect(await drainInbox(bob)).toHaveLength(100);
  await hub.stop();
});

describe("a hub that is killed under a pipelined load", () => {
  test("has lost nothing that it answered, doubled nothing, and brings back what was not acknowledged", async () => {
    const home = yard.home();
    const start = () => yard.start({ home, set: SETTINGS });
    let hub = await start();
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
    const ledger = createSocketLedger();

    for (let kill = 0; kill < 8; kill++) {
      const [sender, reader] = await Promise.all(
        [ann, bob].map(({ token }) => openAgentSocket(hub.url, { token })),
      );
      if (sender === undefined || reader === undefined) throw new Error("no sockets");
      ledger.load(sender, 600);
      ledger.read(reader);
      await ledger.progress(200);
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
