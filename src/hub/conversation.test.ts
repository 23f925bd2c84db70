import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";

const MINUTE = 60_000;

/** Each agent hands what it reads to the next one, slowly enough to meet no cooldown, until nothing moves. */
async function runRing(hub: TestHub, ring: readonly string[], most: number): Promise<number> {
  let sent = 0;
  for (let turn = 0; turn < most; turn++) {
    const me = ring[turn % ring.length];
    const next = ring[(turn + 1) % ring.length];
    if (me === undefined || next === undefined) break;
    const { messages } = await hub.read(me);
    const [got] = messages;
    if (got === undefined) break;
    await hub.ack(me, ...messages.map(({ message }) => message.id));
    await hub.send(me, next, `turn ${turn}`, { replyTo: got.message.id });
    sent++;
    hub.clock.advance(MINUTE);
  }
  return sent;
}

async function ringOfThree() {
  const hub = openTestHub({ limits: pacedLimits });
  const ring = [await hub.register("a"), await hub.register("b"), await hub.register("c")];
  await hub.send("human", ring[0] ?? "", "begin");
  return { hub, ring };
}

test("a ring of three that answers forever is stopped by its budget, and the person is asked once", async () => {
  const { hub, ring } = await ringOfThree();

  const sent = await runRing(hub, ring, 1000);

  expect(sent).toBe(25); // 24 hops get through, the 25th is held
  const asked = (await hub.read("human")).messages.map(({ message }) => message);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ type: "system", fromName: "hub", metadata: { ask: "conversation" } });
  expect(hub.views.conversations.withState("paused", 10)).toHaveLength(1);
});

test("the person lets it go on with a new budget, or ends it and the senders are told", async () => {
  const { hub, ring } = await ringOfThree();
  await runRing(hub, ring, 1000);
  const [paused] = hub.views.conversations.withState("paused", 1);
  const conversation = paused?.id ?? "";

  const resumed = await hub.execute("decideConversation", { conversation, decision: "continue" });
  expect(resumed).toMatchObject({ state: "open", messages: 1 });
  const rotated = [...ring.slice(25 % 3), ...ring.slice(0, 25 % 3)];
  expect(await runRing(hub, rotated, 1000)).toBe(25);

  const frozen = await hub.execute("decideConversation", { conversation, decision: "freeze" });
  expect(frozen).toMatchObject({ state: "frozen", messages: 1 });
  const holder = rotated[24 % 3] ?? "";
  expect((await hub.inbox(holder)).at(-1)).toMatch(/was not read: the person ended the conversation/);
  const [earlier] = hub.views.handed.since(holder, 0);
  const replyTo = hub.views.messages.bySeq(earlier?.seq ?? 0)?.data.message.id;
  const refused = await refusal(hub.send(holder, rotated[(24 + 1) % 3] ?? "", "once more", { replyTo }));
  expect(refused.code).toBe("CONVERSATION_FROZEN");
});

test("a message without reply_to continues the longest of what its sender was handed in the last 15 minutes", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b, c] = [await hub.register("a"), await hub.register("b"), await hub.register("c")];
  const { messageId } = await hub.send(a, b, "go");
  await hub.read(b);
  await hub.send(b, c, "passed on");
  const passed = (await hub.read(c)).messages[0]?.message;
  expect(passed).toMatchObject({ hop: 1, conversation: messageId, causes: [messageId] });

  hub.clock.advance(16 * MINUTE);
  const late = await hub.send(b, c, "something else");
  expect(hub.views.messages.bySeq(late.seq)?.data.message).toMatchObject({
    hop: 0,
    conversation: late.messageId,
  });
});

test("what the person says begins a new conversation, and what informs counts for nothing", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  await hub.send(a, b, "go");
  await hub.read(b);
  await hub.send("human", b, "do this instead");
  await hub.read(b);
  const sent = await hub.send(b, a, "doing it");
  expect(hub.views.messages.bySeq(sent.seq)?.data.message).toMatchObject({ hop: 1 });

  hub.clock.advance(MINUTE);
  const other = await hub.register("other");
  await hub.send(a, other, "note", { attention: "fyi" });
  await hub.read(other);
  const free = await hub.send(other, a, "by myself");
  expect(hub.views.messages.bySeq(free.seq)?.data.message).toMatchObject({ hop: 0 });
});

test("200 messages between agents within an hour wait for the person, and any word of theirs lets them go", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const agents = [];
  for (let i = 0; i < 30; i++) agents.push(await hub.register(`agent-${i}`));
  let held = 0;
  for (let i = 0; i < 210; i++) {
    const from = agents[i % 30] ?? "";
    const to = agents[(i + 1 + Math.floor(i / 30)) % 30] ?? "";
    if ((await hub.send(from, to)).state === "held") held++;
    hub.clock.advance(1000);
  }
  expect(held).toBe(10);
  expect((await hub.read("human")).messages).toHaveLength(1);

  await hub.send("human", agents[0] ?? "", "go on");

  expect(hub.views.inbox.heldFor("backstop")).toEqual([]);
});
