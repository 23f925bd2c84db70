import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";

/* First sent, first handed out, for each pair: what comes after a held message waits behind it. */

const SECOND = 1000;

/** `ann` and `bob` have used up their budget: what ann sends in answer to bob is held. */
async function openPaused(role: "agent" | "orchestrator" = "agent") {
  const hub = openTestHub({
    limits: { conversation: { hops: 0, messages: 1e9, causeMs: 60 * SECOND, unattended: 1e9 } },
  });
  const [ann, bob] = [await hub.register("ann", { role }), await hub.register("bob")];
  const { messageId: begin } = await hub.send(bob, ann, "begin");
  await hub.read(ann);
  await hub.ack(ann, begin);
  const held = await hub.send(ann, bob, "first", { replyTo: begin });
  expect(held).toMatchObject({ state: "held", reason: "budget" });
  const [paused] = hub.views.conversations.withState("paused", 1);
  const decide = (decision: "continue" | "freeze") =>
    hub.execute("decideConversation", { conversation: paused?.id ?? "", decision });
  return { hub, ann, bob, held: held.messageId, decide };
}

test("what its sender sends after a message that waits for the person waits behind it, and says so", async () => {
  const { hub, ann, bob, decide } = await openPaused();

  const second = await hub.send(ann, bob, "second", { attention: "fyi" });

  expect(second).toMatchObject({ state: "held", reason: "budget", delayedMs: 0 });
  expect(await hub.inbox(bob)).toEqual([]);
  expect((await hub.read(bob, ann)).messages).toEqual([]);
  await decide("continue");
  expect(await hub.inbox(bob)).toEqual(["first", "second"]);
});

test("others are not held up by it", async () => {
  const { hub, bob } = await openPaused();
  const carol = await hub.register("carol");
  expect(await hub.send(carol, bob, "hello")).toMatchObject({ state: "accepted" });
  expect(await hub.inbox(bob)).toEqual(["hello"]);
});

test("once the held one has ended, what waited behind it is read", async () => {
  const { hub, ann, bob, held, decide } = await openPaused();
  await hub.send(ann, bob, "second", { attention: "fyi" });
  const reader = hub.reader();
  const waiting = reader.read({ agent: bob, waitMs: 60 * SECOND });

  await decide("freeze");

  expect((await waiting).messages.map(({ message }) => message.content)).toEqual(["second"]);
  expect(hub.receipt(held).state).toBe("failed");
});

test("an open wait sleeps through what is behind a held message, and wakes with both", async () => {
  const { hub, ann, bob, decide } = await openPaused();
  const reader = hub.reader();
  const waiting = reader.read({ agent: bob, waitMs: 60 * SECOND });

  await hub.send(ann, bob, "second", { attention: "fyi" });
  expect(reader.waiting()).toBe(1);
  await decide("continue");

  expect((await waiting).messages.map(({ message }) => message.content)).toContain("first");
  expect(await hub.inbox(bob)).toEqual(["first", "second"]);
});

test("an answer does not overtake what a cooldown holds, but whoever waits for it has it at once", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const request = await hub.ask(bob, "help");
  await hub.send(ann, bob, "one");
  await hub.send(ann, bob, "two");
  const reader = hub.reader();
  const answered = reader.read({ agent: bob, requestId: request, waitMs: 60 * SECOND, limit: 1 });

  await hub.answer(ann, request, "done");

  expect((await answered).messages.map(({ message }) => message.content)).toEqual(["done"]);
  expect(await hub.inbox(bob)).toEqual(["one"]);
  hub.clock.advance(2 * SECOND);
  await hub.ring();
  expect(await hub.inbox(bob)).toEqual(["one", "two", "done"]);
});

test("a message that is due does not overtake one whose time is up and that is not yet released", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  await hub.send(ann, bob, "one");
  await hub.send(ann, bob, "two");
  hub.clock.advance(6 * SECOND);

  expect(await hub.send(ann, bob, "three")).toMatchObject({ state: "accepted" });

  expect(await hub.inbox(bob)).toEqual(["one"]);
  await hub.ring();
  expect(await hub.inbox(bob)).toEqual(["one", "two", "three"]);
});

test("a word to shut down waits behind nothing", async () => {
  const { hub, ann, bob, decide } = await openPaused("orchestrator");
  const reader = hub.reader();
  const waiting = reader.read({ agent: bob, waitMs: 60 * SECOND });

  await hub.execute("shutdownAgent", { agent: bob, by: ann });

  expect((await waiting).messages.map(({ message }) => message.type)).toEqual(["shutdown"]);
  await decide("continue");
  expect((await hub.inbox(bob))[0]).toBe("first");
});
