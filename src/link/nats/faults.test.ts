import { jetstreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import {
  connected,
  type FabricHub,
  memberPeer,
  SHORT,
  startFabricHub,
} from "../../../test/fakes/fabric-yard.js";
import { type NatsServer, startFabricServer } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { LINK_STREAM, linkSubject, REGISTER_STREAM } from "../../fabric/subjects.js";

/* What goes wrong with a server, and what two hubs make of it. What was posted and what came is held against each other outside both. */

/** Servers are killed and hubs come and go: each of that takes its time on a busy machine. */
const LONG_MS = 300_000;

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n));

type Pair = { server: NatsServer; bmo: FabricHub; r2d2: FabricHub };

/** Two hubs that know each other; `isSteward`: they make the streams. */
async function startPair(options: { mailPerBatch?: number; isSteward?: boolean } = {}): Promise<Pair> {
  const server = await startFabricServer();
  const r2d2 = await startFabricHub("r2d2", server, { timing: SHORT, ...options });
  const bmo = await startFabricHub("bmo", server, { timing: SHORT, ...options });
  bmo.hub.setPeers([memberPeer("r2d2", r2d2.identity)]);
  r2d2.hub.setPeers([memberPeer("bmo", bmo.identity)]);
  return { server, bmo, r2d2 };
}

/** All of it came there, once and in order, and the sender knows. */
async function expectAll({ bmo, r2d2 }: Omit<Pair, "server">, texts: readonly string[]) {
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(texts));
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(texts));
}

test("mail arrives once and in order, both ways", async () => {
  const { bmo, r2d2 } = await startPair({ mailPerBatch: 4 });
  const texts = numbers(0, 60);

  bmo.hub.post("r2d2", ...texts);
  r2d2.hub.post("bmo", ...texts);

  await expectAll({ bmo, r2d2 }, texts);
  await expectAll({ bmo: r2d2AsSender(r2d2), r2d2: r2d2AsSender(bmo) }, texts);

  function r2d2AsSender(side: FabricHub): FabricHub {
    const { hub } = side;
    return { ...side, hub: { ...hub, got: () => hub.got("r2d2"), taken: () => hub.taken("bmo") } };
  }
});

test("two hubs that are never there together exchange mail", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  bmo.hub.post("r2d2", "one", "two");
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));
  await bmo.link.close();

  const back = await startFabricHub("r2d2", server, {
    timing: SHORT,
    identity: r2d2.identity,
    hub: r2d2.hub,
  });
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["one", "two"]));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));
  await back.link.close();
  expect(bmo.hub.taken("r2d2")).toEqual([]);

  await startFabricHub("bmo", server, { timing: SHORT, identity: bmo.identity, hub: bmo.hub });
  await expectAll({ bmo, r2d2 }, ["one", "two"]);
});

test("what lies in a mailbox is not put there again while its hub is away", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();

  bmo.hub.post("r2d2", "one");
  await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(3));

  expect(await waitingIn(server, r2d2)).toBe(1);
});

test("what is written while a hub is away goes to its mailbox at once, behind what lies there", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  bmo.hub.post("r2d2", "one");
  await patiently(() => expect(bmo.link.fabric()?.isAway(r2d2.identity.id)).toBe(true));

  bmo.hub.post("r2d2", "two");
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(2));
  bmo.hub.post("r2d2", "three");
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(3));
  await bmo.link.close();

  await startFabricHub("r2d2", server, { timing: SHORT, identity: r2d2.identity, hub: r2d2.hub });
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["one", "two", "three"]));
  expect(r2d2.hub.batches.map(({ frames }) => frames.length)).toEqual([1, 1, 1]);
});

test("a server that is killed again and again loses nothing, doubles nothing, and the order holds", {
  timeout: LONG_MS,
}, async () => {
  const { server, bmo, r2d2 } = await startPair({ mailPerBatch: 3 });
  for (let round = 0; round < 3; round++) {
    bmo.hub.post("r2d2", ...numbers(round * 30, 30));
    await patiently(() => expect(r2d2.hub.got("bmo").length).toBeGreaterThan(round * 30));
    await server.kill();
    await server.start();
  }
  await expectAll({ bmo, r2d2 }, numbers(0, 90));
});

test("a server that is frozen for a while only delays", async () => {
  const { server, bmo, r2d2 } = await startPair({ mailPerBatch: 3 });
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await expectAll({ bmo, r2d2 }, numbers(0, 5));
  server.freeze();
  const before = bmo.hub.asked();
  bmo.hub.post("r2d2", ...numbers(5, 5));
  await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(before + 2));
  server.thaw();
  await expectAll({ bmo, r2d2 }, numbers(0, 10));
});

test("a server whose store is wiped gets its streams from the steward, and what lay there again from its senders", async () => {
  const { server, bmo, r2d2 } = await startPair({ isSteward: true });
  await r2d2.link.close();
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));

  await server.kill();
  server.wipe();
  await server.start();
  await startFabricHub("r2d2", server, {
    timing: SHORT,
    identity: r2d2.identity,
    hub: r2d2.hub,
    isSteward: true,
  });

  await expectAll({ bmo, r2d2 }, numbers(0, 5));
});

test.each([LINK_STREAM, REGISTER_STREAM])(
  "the stream %s, deleted under the hubs, is made again",
  async (stream) => {
    const { server, bmo, r2d2 } = await startPair({ isSteward: true });
    bmo.hub.post("r2d2", ...numbers(0, 5));
    await expectAll({ bmo, r2d2 }, numbers(0, 5));

    await manage(server, (manager) => manager.streams.delete(stream));
    bmo.hub.post("r2d2", ...numbers(5, 5));

    await expectAll({ bmo, r2d2 }, numbers(0, 10));
  },
);

test("a consumer that is deleted is made again", async () => {
  const { server, bmo, r2d2 } = await startPair();
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await expectAll({ bmo, r2d2 }, numbers(0, 5));

  await manage(server, (manager) => manager.consumers.delete(LINK_STREAM, r2d2.identity.id));
  bmo.hub.post("r2d2", ...numbers(5, 5));

  await expectAll({ bmo, r2d2 }, numbers(0, 10));
});

test("a mailbox that is full says so; the rest waits with its sender", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const subject = linkSubject(r2d2.identity.id, bmo.identity.id);
  const connection = await server.connect();
  for (let n = 0; n < 1024; n++) connection.publish(subject, "rubbish");
  await connection.flush();
  await connection.close();

  bmo.hub.post("r2d2", "kept");
  await patiently(() =>
    expect(bmo.link.reports()[0]?.lastError?.message).toContain(
      "has a mailbox that takes no more (maximum messages per subject",
    ),
  );

  // Nobody can do anything with rubbish: it goes, and the mail comes.
  await startFabricHub("r2d2", server, { timing: SHORT, identity: r2d2.identity, hub: r2d2.hub });
  await expectAll({ bmo, r2d2 }, ["kept"]);
});

test("all hubs come back after a restart of the server", { timeout: LONG_MS }, async () => {
  const server = await startFabricServer();
  const hubs = await Promise.all(numbers(0, 12).map((n) => startFabricHub(`hub-${n}`, server)));
  await server.kill();
  await server.start();
  await Promise.all(hubs.map(({ link }) => connected(link)));
});

test("what is too large for the fabric is refused for good, and what comes after it goes", async () => {
  const { bmo, r2d2 } = await startPair();
  bmo.hub.post("r2d2", "before", "x".repeat(1_300_000), "after");

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["before", "after"]));
  expect(bmo.hub.refused).toMatchObject([
    { reason: expect.stringContaining("carries nothing as large") as unknown },
  ]);
});

test("a second hub with the same key is refused until the first is gone, and reads nobody's mail", async () => {
  const { server, bmo, r2d2 } = await startPair();
  const twin = await startFabricHub("r2d2", server, { timing: SHORT, identity: r2d2.identity, noWait: true });
  await patiently(() => expect(twin.link.fabric()?.state().kind).toBe("twin"));

  bmo.hub.post("r2d2", ...numbers(0, 20));
  await expectAll({ bmo, r2d2 }, numbers(0, 20));
  expect(twin.hub.got("bmo")).toEqual([]);
  expect(twin.log.join()).toContain("another hub on the fabric has this hub's key");

  await r2d2.link.close();
  await connected(twin.link);
});

test("an ack that was lost is read from its register, and nothing goes twice", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  bmo.hub.post("r2d2", "one");
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));
  await bmo.link.close();
  const back = await startFabricHub("r2d2", server, {
    timing: SHORT,
    identity: r2d2.identity,
    hub: r2d2.hub,
  });
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));
  await back.link.close();
  const batches = r2d2.hub.batches.length;

  // The other is gone by now: only the register can tell.
  await startFabricHub("bmo", server, { timing: SHORT, identity: bmo.identity, hub: bmo.hub });

  await expectAll({ bmo, r2d2 }, ["one"]);
  expect(await waitingIn(server, r2d2)).toBe(0);
  expect(r2d2.hub.batches.length).toBe(batches);
});

type Manager = Awaited<ReturnType<typeof jetstreamManager>>;

async function manage<T>(server: NatsServer, act: (manager: Manager) => Promise<T>): Promise<T> {
  const connection = await server.connect();
  try {
    return await act(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** How many batches of a hub lie on the server. */
function waitingIn(server: NatsServer, { identity }: FabricHub): Promise<number> {
  return manage(server, async (manager) => {
    const filter = linkSubject(identity.id, "*");
    const { state } = await manager.streams.info(LINK_STREAM, { subjects_filter: filter });
    return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
  });
}
