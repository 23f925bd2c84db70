import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub, type SendOptions } from "../../test/fakes/test-hub.js";

test("a repeated send is delivered once and gets the same receipt", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const hello = () => hub.send(alice, bob, "hello", { id: "m1", metadata: { topic: "x" } });

  const receipts = [...(await Promise.all([hello(), hello()])), await hello()];

  expect(receipts[1]).toEqual(receipts[0]);
  expect(receipts[2]).toEqual(receipts[0]);
  expect(await hub.inbox(bob)).toEqual(["hello"]);
});

test("a repeated send is recognised after a restart, and after it was read", async () => {
  const before = openTestHub();
  const [alice, bob] = [await before.register("alice"), await before.register("bob")];
  const receipt = await before.send(alice, bob, "hello", { id: "m1" });
  await before.ack(bob, "m1");

  const hub = await before.restart();

  expect(await hub.send(alice, bob, "hello", { id: "m1" })).toEqual(receipt);
  expect(await hub.inbox(bob)).toEqual([]);
});

test("a repeated send does not fail on what has changed since: a full inbox, a rename, a recipient that left", async () => {
  const hub = openTestHub({ limits: { inboxCap: 1 } });
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const { seq } = await hub.sendTo(alice, "bob", "hello", { id: "m1" });

  expect(await hub.sendTo(alice, "bob", "hello", { id: "m1" })).toMatchObject({ seq });
  await hub.rename(bob, "robert");
  expect(await hub.sendTo(alice, "bob", "hello", { id: "m1" })).toMatchObject({ seq });
  expect(await hub.sendTo(alice, "robert", "hello", { id: "m1" })).toMatchObject({ seq });
  await hub.deregister(bob);
  expect(await hub.sendTo(alice, "bob", "hello", { id: "m1" })).toMatchObject({ seq });
});

test("a repeated status is the same, whatever attention it asks for: it is always fyi", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const send = () => hub.send(alice, bob, "idle", { id: "m1", type: "status", attention: "interrupt" });

  expect(await send()).toEqual(await send());
  expect(await hub.inbox(bob)).toEqual(["idle"]);
});

const first: SendOptions = { id: "m1", context: "a", type: "text", metadata: { n: 1 }, expiresInMs: 1000 };

test.each<[string, string, string, SendOptions]>([
  ["content", "bob", "other", first],
  ["recipient", "carol", "hello", first],
  ["context", "bob", "hello", { ...first, context: "b" }],
  ["type", "bob", "hello", { ...first, type: "status" }],
  ["metadata", "bob", "hello", { ...first, metadata: { n: 2 } }],
  ["attention", "bob", "hello", { ...first, attention: "fyi" }],
  ["expiry", "bob", "hello", { ...first, expiresInMs: 2000 }],
  ["reply target", "bob", "hello", { ...first, replyTo: "m0" }],
])("the same id with another %s is refused and changes nothing", async (_what, to, content, options) => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.register("carol");
  const { seq } = await hub.sendTo(alice, "bob", "hello", first);

  const error = await refusal(hub.sendTo(alice, to, content, options));

  expect(error.code).toBe("ID_REUSED");
  expect(error.details).toEqual({ message_id: "m1", seq });
  expect(await hub.inbox(bob)).toEqual(["hello"]);
});

test("two racing sends of one id with different bodies store one of them", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  const answers = await Promise.allSettled(
    ["a", "b"].map((text) => hub.send(alice, bob, text, { id: "m1" })),
  );

  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await hub.inbox(bob)).toEqual(["a"]);
});

test("ids belong to their sender: two agents may choose the same", async () => {
  const hub = openTestHub();
  const [alice, bob, carol] = [
    await hub.register("alice"),
    await hub.register("bob"),
    await hub.register("carol"),
  ];

  await hub.send(alice, carol, "from alice", { id: "m1" });
  await hub.send(bob, carol, "from bob", { id: "m1" });

  expect(await hub.inbox(carol)).toEqual(["from alice", "from bob"]);
  expect(await hub.ack(carol, "m1")).toEqual({ acknowledged: ["m1"], unknown: [] });
  expect(await hub.inbox(carol)).toEqual([]);
});
