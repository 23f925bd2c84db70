import { expect, test } from "vitest";
import {
  expectAll,
  manage,
  numbers,
  startPair,
  streamOf,
  waitingIn,
} from "../../../test/fakes/fabric-pair.js";
import {
  connected,
  type FabricHub,
  memberPeer,
  SHORT,
  startFabricHub,
} from "../../../test/fakes/fabric-yard.js";
import { type NatsServer, startFabricServer, TEST_STREAMS } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { ensureStreams } from "../../fabric/streams.js";
import {
  ACK_STREAM,
  ACK_SUBJECTS,
  linkSubject,
  REGISTER_STREAM,
  REGISTER_SUBJECTS,
} from "../../fabric/subjects.js";

/* What goes wrong with a server, and what two hubs make of it. What was posted and what came is held against each other outside both. */

/** Servers are killed and hubs come and go: each of that takes its time on a busy machine. */
const LONG_MS = 300_000;

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
    streams: { count: TEST_STREAMS },
  });

  await expectAll({ bmo, r2d2 }, numbers(0, 5));
});

test.each([
  ["of its mailbox", undefined],
  ["that says who is there", REGISTER_STREAM],
  ["of acks", ACK_STREAM],
])("a stream that is deleted under the hubs is made again: the one %s", async (_, deleted) => {
  const { server, bmo, r2d2 } = await startPair({ isSteward: true });
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await expectAll({ bmo, r2d2 }, numbers(0, 5));

  await manage(server, (manager) => manager.streams.delete(deleted ?? streamOf(r2d2)));
  bmo.hub.post("r2d2", ...numbers(5, 5));
  await expectAll({ bmo, r2d2 }, numbers(0, 10));
});

test("where the acks are gone a sender that was started anew has them made again, and its mail goes", async () => {
  const { server, bmo, r2d2 } = await startPair();
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await expectAll({ bmo, r2d2 }, numbers(0, 5));
  await bmo.link.close();
  await manage(server, (manager) => manager.streams.delete(ACK_STREAM));
  const { identity, hub } = bmo;
  bmo.hub.post("r2d2", ...numbers(5, 5));

  const streams = { count: TEST_STREAMS } as const;
  await startFabricHub("bmo", server, { timing: SHORT, identity, hub, isSteward: true, streams });

  await expectAll({ bmo, r2d2 }, numbers(0, 10));
  await manage(server, (manager) => manager.streams.info(ACK_STREAM));
});

test.each([
  [1, 4],
  [4, 1],
] as const)(
  "streams are made anew under the hubs, %i before and %i then: they find their mailboxes, and what lay there comes",
  async (before, then) => {
    const { server, bmo, r2d2 } = await startPair({ streams: before });
    bmo.hub.post("r2d2", ...numbers(0, 5));
    await expectAll({ bmo, r2d2 }, numbers(0, 5));
    await r2d2.link.close();
    bmo.hub.post("r2d2", ...numbers(5, 5));
    await patiently(async () => expect(await waitingIn(server, r2d2, before)).toBe(1));

    await server.kill();
    server.wipe();
    await server.start();
    const connection = await server.connect();
    await ensureStreams(connection, { count: then });
    // Whoever wants it otherwise goes by what is there.
    await ensureStreams(connection, { count: 8 });
    await connection.close();
    await startFabricHub("r2d2", server, { timing: SHORT, identity: r2d2.identity, hub: r2d2.hub });

    await expectAll({ bmo, r2d2 }, numbers(0, 10));
  },
);

test("a consumer that is deleted is made again", async () => {
  const { server, bmo, r2d2 } = await startPair();
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await expectAll({ bmo, r2d2 }, numbers(0, 5));

  await manage(server, (manager) => manager.consumers.delete(streamOf(r2d2), r2d2.identity.id));
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

test("all hubs come back at once after a restart of the server, and what they wrote meanwhile comes, once and in order", {
  timeout: LONG_MS,
}, async () => {
  const server = await startFabricServer();
  const hubs = await Promise.all(
    numbers(0, 12).map((n) => startFabricHub(`hub-${n}`, server, { timing: SHORT })),
  );
  const everybody = hubs.map(({ hub, identity }) => memberPeer(hub.self.name, identity));
  for (const { hub } of hubs) hub.setPeers(everybody.filter(({ name }) => name !== hub.self.name));
  const pairs = hubs.map(({ hub: from }, n) => ({ from, to: hubs[(n + 1) % hubs.length]?.hub ?? from }));
  const postAll = (text: string) => {
    for (const { from, to } of pairs) from.post(to.self.name, text);
  };

  postAll("before");
  await server.kill();
  postAll("meanwhile");
  await server.start();
  await Promise.all(hubs.map(({ link }) => connected(link)));
  postAll("after");

  const all = ["before", "meanwhile", "after"];
  for (const { from, to } of pairs) {
    await patiently(() => expect(to.got(from.self.name)).toEqual(all));
    await patiently(() => expect(from.taken(to.self.name)).toEqual(all));
  }
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

test.each([
  ["of a fabric as it is made now", false],
  ["of a fabric that was made when acks and entries were one stream", true],
])("an ack that was lost is read from its register, and nothing goes twice: %s", async (_, isOld) => {
  const { server, bmo, r2d2 } = await startPair(isOld ? { onServer: makeOldRegisters } : {});
  const streams = await manage(server, async (manager) => manager.streams.names().next());
  expect(streams.includes(ACK_STREAM)).toBe(!isOld);
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

/** As they were made before acks had a stream of their own. */
async function makeOldRegisters(server: NatsServer) {
  await manage(server, (manager) =>
    manager.streams.add({
      name: REGISTER_STREAM,
      description: `Mailboxes are in ${TEST_STREAMS} streams`,
      subjects: [...ACK_SUBJECTS, ...REGISTER_SUBJECTS],
      allow_direct: true,
      max_msgs_per_subject: 1,
    }),
  );
}
