import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";

test("a message is in its recipient's inbox once it is accepted", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  const receipt = await hub.send(alice, bob, "hello");

  expect(receipt).toMatchObject({ target: "bob", state: "accepted", delayedMs: 0 });
  expect(hub.receipt(receipt.messageId)).toMatchObject({
    seq: receipt.seq,
    recipient: bob,
    state: "accepted",
  });
  expect(await hub.inbox(bob)).toEqual(["hello"]);
  expect(await hub.inbox(alice)).toEqual([]);
});

test("a message says who sent it, whatever its sender puts into the metadata", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  await hub.send(alice, bob, "hi", {
    source: "user",
    metadata: { type: "system", sender: "hub", topic: "x" },
  });
  await hub.send(HUMAN_ID, bob, "hi");

  const [byAgent, byHuman] = (await hub.read(bob)).messages;
  expect(byAgent?.message).toMatchObject({
    from: alice,
    fromName: "alice",
    source: "agent",
    trust: "local",
    metadata: { type: "inter-agent", sender: "alice", topic: "x" },
  });
  expect(byHuman?.message).toMatchObject({
    from: HUMAN_ID,
    fromName: "user",
    source: "user",
    trust: "human",
  });
});

test("what the surface has as usual counts where neither the message nor its sender says", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob", { attention: "fyi" })];
  const usual = { usualAttention: "interrupt" } as const;

  await hub.send(alice, bob, "nothing said", { ...usual, id: "a" });
  await hub.send(alice, bob, "said", { ...usual, attention: "queue" });
  await hub.send(alice, bob, "a status", { ...usual, type: "status" });
  await hub.send(bob, alice, "said at registering", usual);

  const attentions = async (agent: string) =>
    (await hub.read(agent)).messages.map(({ message }) => message.attention);
  expect(await attentions(bob)).toEqual(["interrupt", "queue", "fyi"]);
  expect(await attentions(alice)).toEqual(["fyi"]);
  // Set otherwise meanwhile, a repeated send is still the same message.
  expect(await hub.send(alice, bob, "nothing said", { id: "a" })).toMatchObject({ messageId: "a" });
});

test("the person is reached as user", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");

  await hub.sendTo(alice, "user", "please look");

  expect(await hub.inbox(HUMAN_ID)).toEqual(["please look"]);
});

test("an unknown recipient is refused with who exists and who was meant", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  await hub.register("reviewer");

  const error = await refusal(hub.sendTo(alice, "reveiwer"));

  expect(error.code).toBe("AGENT_NOT_FOUND");
  expect(error.message).toBe("Agent not found");
  expect(error.details).toEqual({
    name: "reveiwer",
    available: ["alice", "reviewer"],
    did_you_mean: "reviewer",
  });
});

test("a recipient that left is gone, not unknown", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.deregister(bob);

  const error = await refusal(hub.sendTo(alice, "bob"));

  expect(error.code).toBe("AGENT_GONE");
  expect(error.details).toEqual({ available: ["alice"] });
});

test("a recipient that was renamed is refused with its new name", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.rename(bob, "robert");

  const error = await refusal(hub.sendTo(alice, "bob"));

  expect(error.code).toBe("AGENT_NOT_FOUND");
  expect(error.details).toMatchObject({ renamed_to: "robert" });
});

test("a renamed agent is pointed to even if another of its old name left long ago", async () => {
  const hub = openTestHub();
  const [alice, earlier] = [await hub.register("alice"), await hub.register("bob")];
  await hub.deregister(earlier);
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");

  const error = await refusal(hub.sendTo(alice, "bob"));

  expect(error.code).toBe("AGENT_NOT_FOUND");
  expect(error.details).toMatchObject({ renamed_to: "robert" });
});

test("nobody sends to itself, under its new name or its old one", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  await hub.rename(alice, "alicia");

  expect((await refusal(hub.sendTo(alice, "alicia"))).code).toBe("SELF_SEND");
  expect((await refusal(hub.sendTo(HUMAN_ID, "user"))).code).toBe("SELF_SEND");
  expect((await refusal(hub.sendTo(HUMAN_ID, "human"))).code).toBe("SELF_SEND");
  expect((await refusal(hub.sendTo(alice, "alice"))).code).toBe("AGENT_NOT_FOUND");
});

test("an agent that left sends nothing", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.deregister(alice);

  expect((await refusal(hub.send(alice, bob))).code).toBe("UNAUTHENTICATED");
  expect(await hub.inbox(bob)).toEqual([]);
});

test("a full inbox refuses the next message and takes it once some are seen", async () => {
  const hub = openTestHub({ limits: { inboxCap: 3 } });
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  const answers = await Promise.allSettled(["1", "2", "3", "4"].map((text) => hub.send(alice, bob, text)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
  const error = await refusal(hub.send(alice, bob, "4"));
  expect(error.code).toBe("INBOX_FULL");
  expect(error.details).toEqual({ target: "bob", cap: 3 });

  // Handing it out does not empty an inbox: only what is proven to have arrived leaves it.
  const { messages } = await hub.read(bob);
  expect((await refusal(hub.send(alice, bob, "4"))).code).toBe("INBOX_FULL");
  await hub.ack(bob, messages[0]?.message.id ?? "");
  await hub.send(alice, bob, "4");
  expect((await refusal(hub.send(alice, bob, "5"))).code).toBe("INBOX_FULL");
  expect(await hub.inbox(bob)).toEqual(["2", "3", "4"]);
});

test("a refused message is nowhere", async () => {
  const hub = openTestHub({ limits: { inboxCap: 1 } });
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, "1");
  const before = hub.events.lastSeq();

  await refusal(hub.send(alice, bob, "2", { id: "second" }));

  expect(hub.events.lastSeq()).toBe(before);
  expect(hub.views.messages.byId("second")).toEqual([]);
});

test("mail for an agent that is offline is held, with the reason", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.execute("recordPresence", { agent: bob, status: "offline", evidence: "no call for 30 s" });

  const receipt = await hub.send(alice, bob, "when you are back");

  expect(receipt).toMatchObject({ state: "held", reason: '"bob" is offline: no call for 30 s' });
  expect(await hub.inbox(bob)).toEqual(["when you are back"]);
});
