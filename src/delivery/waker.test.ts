import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import type { HubEvent } from "../model/events.js";
import { createWaker } from "./waker.js";

const strict = { limits: { conversation: { hops: 0, messages: 1e9, causeMs: 60_000, unattended: 1e9 } } };

/** A hosted agent with a conversation in which the next message to it waits for the person. */
async function openConversation() {
  const hub = await openHostedHub(strict);
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const { messageId } = await hub.send(bob, ann, "begin");
  await hub.read(ann);
  const [{ data } = { data: undefined }] = hub.happened("MessageAccepted");
  const conversation = data?.message.conversation ?? "";
  const turns = () => hub.runtime.agents.flatMap((agent) => agent.turns);
  return { hub, bob, ann, messageId, conversation, turns };
}

test("a message that is held and released in one commit starts its turn", async () => {
  const { hub, bob, ann, messageId, conversation, turns } = await openConversation();
  let commits = 0;
  hub.onCommitted(() => commits++);

  const [sent] = await Promise.all([
    hub.send(ann, bob, "first", { replyTo: messageId }),
    hub.execute("decideConversation", { conversation, decision: "continue" }),
  ]);
  expect(sent.state).toBe("held");
  expect(commits).toBe(1);

  await hub.until(() => turns().length === 1);
  expect(turns()[0]?.prompt.text).toContain("first");
});

test("what was behind a message that the person ended comes, and what it asks for is kept: it interrupts", async () => {
  const { hub, bob, ann, messageId, conversation, turns } = await openConversation();
  await hub.send(ann, bob, "first", { replyTo: messageId });
  hub.clock.advance(61_000);
  const carl = await hub.register("carl");
  hub.runtime.obey = "take";
  await hub.send(carl, bob, "long work");
  await hub.until(() => hub.state(bob) === "busy");
  await hub.send(ann, bob, "look here", { attention: "interrupt" });
  await hub.settled();
  expect(turns()).toHaveLength(1);

  await hub.execute("decideConversation", { conversation, decision: "freeze" });
  await hub.until(() => turns().length === 2);
  expect(turns()[1]?.prompt.text).toContain("look here");
});

test("messages that are released together are each told of once, however many there are", async () => {
  const hub = openTestHub({
    limits: { conversation: { hops: 1e9, messages: 1e9, causeMs: 60_000, unattended: 1 } },
  });
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  for (let i = 0; i < 40; i++) await hub.send(ann, bob, `${i}`);
  expect(hub.views.inbox.heldCount("backstop")).toBe(39);
  const committed: HubEvent[] = [];
  hub.onCommitted((events) => void committed.push(...events));

  await hub.send("human", ann, "go on");

  const waker = createWaker(hub.views);
  const freed = [...waker.freedBy(committed, (agent) => agent === bob)];
  expect(freed.map(({ message }) => message.content)).toEqual(
    Array.from({ length: 39 }, (_, i) => `${i + 1}`),
  );
});
