import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import type { TestJournalOptions } from "../../../test/fakes/test-journal.js";

async function openPair(options: TestJournalOptions = {}) {
  const hub = openTestHub(options);
  return { hub, alice: await hub.register("alice"), bob: await hub.register("bob") };
}

test("mail is handed out oldest first, whoever sent it", async () => {
  const { hub, alice, bob } = await openPair();
  const carol = await hub.register("carol");
  await Promise.all([
    hub.send(alice, bob, "1"),
    hub.send(carol, bob, "2"),
    hub.send(alice, bob, "3"),
    hub.send(carol, bob, "4"),
  ]);

  expect(await hub.inbox(bob)).toEqual(["1", "2", "3", "4"]);
});

test("a read filtered by sender hands out that sender's mail, and leaves the rest untouched", async () => {
  const { hub, alice, bob } = await openPair();
  const carol = await hub.register("carol");
  await hub.send(alice, bob, "from alice", { id: "a" });
  await hub.send(carol, bob, "from carol", { id: "c" });

  const { messages } = await hub.read(bob, carol);

  expect(messages.map(({ message }) => message.content)).toEqual(["from carol"]);
  expect(hub.receipt("a").state).toBe("accepted");
  expect(hub.receipt("c").state).toBe("offered");
});

test("the offer is journalled with its route and attempt before the mail is handed out", async () => {
  const { hub, alice, bob } = await openPair();
  const { messageId: id, seq } = await hub.send(alice, bob);

  await hub.execute("offerMessages", { agent: bob, route: "wait" });

  expect(hub.events.get(hub.events.lastSeq())).toMatchObject({
    type: "MessagesOffered",
    subject: bob,
    data: { agent: bob, route: "wait", deliveries: [{ seq, id, from: alice, attempt: 1 }] },
  });
});

test("what was handed out and not proven comes again, marked as repeated", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "old");
  expect((await hub.read(bob)).messages).toMatchObject([{ repeated: false }]);
  await hub.send(alice, bob, "new");

  const { messages } = await hub.read(bob);

  expect(messages).toMatchObject([
    { message: { content: "old" }, repeated: true },
    { message: { content: "new" }, repeated: false },
  ]);
});

test("reading again within 60 s is the same offer; after that it is attempt 2", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1" });
  await hub.read(bob);
  const offered = hub.events.lastSeq();

  hub.clock.advance(59_000);
  await hub.read(bob);
  expect(hub.events.lastSeq()).toBe(offered);
  expect(hub.receipt("m1").attempt).toBe(1);

  hub.clock.advance(1_000);
  const { messages } = await hub.read(bob);
  expect(messages).toMatchObject([{ message: { id: "m1" }, repeated: true }]);
  expect(hub.receipt("m1")).toMatchObject({ state: "offered", attempt: 2 });
  expect(hub.receipt("m1").steps).toMatchObject([
    { state: "offered", attempt: 1 },
    { state: "offered", attempt: 2 },
  ]);
});

test("an unproven offer survives a restart as an unproven offer", async () => {
  const { hub: before, alice, bob } = await openPair();
  await before.send(alice, bob, "hello", { id: "m1" });
  await before.read(bob);

  const hub = await before.restart();

  expect(hub.receipt("m1")).toMatchObject({ state: "offered", attempt: 1 });
  expect((await hub.read(bob)).messages).toMatchObject([{ repeated: true }]);
});

test("a read hands out at most so many messages and says that there are more", async () => {
  const { hub, alice, bob } = await openPair({ limits: { readMessages: 3 } });
  await Promise.all(["1", "2", "3"].map((text) => hub.send(alice, bob, text)));
  expect((await hub.read(bob)).more).toBe(false);
  await hub.send(alice, bob, "4");

  const first = await hub.read(bob);
  expect(first.messages.map(({ message }) => message.content)).toEqual(["1", "2", "3"]);
  expect(first.more).toBe(true);

  await hub.ack(bob, ...first.messages.map(({ message }) => message.id));
  const second = await hub.read(bob);
  expect(second.messages.map(({ message }) => message.content)).toEqual(["4"]);
  expect(second.more).toBe(false);
});

test("a read hands out at most so many bytes, counted as they are sent", async () => {
  const { hub, alice, bob } = await openPair({ limits: { readBytes: 100 } });
  await hub.send(alice, bob, "é".repeat(30));
  await hub.send(alice, bob, "x", { context: "é".repeat(20) });

  const { messages, more } = await hub.read(bob);

  expect(messages).toHaveLength(1);
  expect(more).toBe(true);
});

test("a message larger than the cap of a read is still handed out, alone", async () => {
  const { hub, alice, bob } = await openPair({ limits: { readBytes: 100 } });
  await hub.send(alice, bob, "x".repeat(1000));
  await hub.send(alice, bob, "small");

  const { messages, more } = await hub.read(bob);

  expect(messages.map(({ message }) => message.content.length)).toEqual([1000]);
  expect(more).toBe(true);
});

test("mail that was cut off by a cap is not offered yet", async () => {
  const { hub, alice, bob } = await openPair({ limits: { readMessages: 1 } });
  await hub.send(alice, bob, "1", { id: "m1" });
  await hub.send(alice, bob, "2", { id: "m2" });

  await hub.read(bob);

  expect(hub.receipt("m1").state).toBe("offered");
  expect(hub.receipt("m2").state).toBe("accepted");
});
