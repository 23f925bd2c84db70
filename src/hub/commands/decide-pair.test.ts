import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { pacedLimits } from "../../../test/fakes/test-journal.js";

const SECOND = 1000;

async function openPair() {
  const hub = openTestHub({ limits: pacedLimits });
  const [ann, ben] = [await hub.register("ann"), await hub.register("ben")];
  const decide = (action: "pause" | "resume" | "reset", from = ann, to = ben) =>
    hub.execute("decidePair", { by: "human", from, to, action });
  return { hub, ann, ben, decide };
}

test("a paused pair's mail is held, its sender is told why, and it comes in order once resumed", async () => {
  const { hub, ann, ben, decide } = await openPair();
  expect(await decide("pause")).toEqual({ paused: true, released: 0 });

  const first = await hub.send(ann, ben, "one");
  hub.clock.advance(40 * SECOND);
  await hub.send(ann, ben, "two");

  expect(first).toMatchObject({ state: "held", reason: "paused" });
  expect(await hub.inbox(ben)).toEqual([]);
  expect(await decide("resume")).toEqual({ paused: false, released: 2 });
  expect(await hub.inbox(ben)).toEqual(["one", "two"]);
});

test("only that direction is paused, and never what the person writes", async () => {
  const { hub, ann, ben, decide } = await openPair();
  await decide("pause");

  expect((await hub.send(ben, ann, "back")).state).toBe("accepted");
  expect((await hub.send("human", ben, "from the person")).state).toBe("accepted");
  expect(await hub.inbox(ben)).toEqual(["from the person"]);
});

test("pausing twice and resuming what is not paused change nothing", async () => {
  const { hub, decide } = await openPair();
  await decide("pause");
  const before = hub.events.lastSeq();

  expect(await decide("pause")).toEqual({ paused: true, released: 0 });
  expect(hub.events.lastSeq()).toBe(before);
  await decide("resume");
  expect(await decide("resume")).toEqual({ paused: false, released: 0 });
});

test("what a cooldown held is not let go while the pair is paused, and is when it is resumed", async () => {
  const { hub, ann, ben, decide } = await openPair();
  await hub.send(ann, ben, "one");
  await hub.send(ann, ben, "two"); // due in 2 s
  await decide("pause");
  hub.clock.advance(3 * SECOND);
  await hub.ring();
  expect(await hub.inbox(ben)).toEqual(["one"]);

  expect(await decide("resume")).toEqual({ paused: false, released: 1 });
  expect(await hub.inbox(ben)).toEqual(["one", "two"]);
});

test("what is not due yet when the pair is resumed waits for its own time", async () => {
  const { hub, ann, ben, decide } = await openPair();
  await hub.send(ann, ben, "one");
  await hub.send(ann, ben, "two"); // due in 2 s
  await decide("pause");

  expect(await decide("resume")).toEqual({ paused: false, released: 0 });
  hub.clock.advance(2 * SECOND);
  await hub.ring();
  expect(await hub.inbox(ben)).toEqual(["one", "two"]);
});

test("a reset lets what cools go, and the next message is instant", async () => {
  const { hub, ann, ben, decide } = await openPair();
  for (const text of ["one", "two", "three"]) await hub.send(ann, ben, text);

  expect(await decide("reset")).toEqual({ paused: false, released: 2 });
  expect(await hub.inbox(ben)).toEqual(["one", "two", "three"]);
  expect(await hub.send(ann, ben, "four")).toMatchObject({ state: "accepted", delayedMs: 0 });
});

test("a reset does not lift the cap of a minute", async () => {
  const { hub, ann, ben, decide } = await openPair();
  for (let i = 0; i < 10; i++) await hub.send(ann, ben, `nr ${i}`);
  await decide("reset");

  await expect(hub.send(ann, ben, "the eleventh")).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("the pause outlives a restart, and ends with either of them", async () => {
  const { hub, ann, ben, decide } = await openPair();
  await decide("pause");
  const again = await hub.restart();
  expect(await again.send(ann, ben, "held")).toMatchObject({ state: "held", reason: "paused" });

  await again.execute("deregisterAgent", { agent: ben, by: "itself" });
  expect(again.views.pausedPairs.all()).toEqual([]);
});

test("a conversation that goes on lets no mail through a paused pair, and nothing is left behind", async () => {
  const { hub, ann, ben, decide } = await openPair();
  await decide("pause");
  const held = await hub.send(ann, ben, "one");
  const conversation = hub.views.messages.bySeq(held.seq)?.data.message.conversation ?? "";
  await hub.execute("decideConversation", { conversation, decision: "continue" }).catch(() => {});
  expect(await hub.inbox(ben)).toEqual([]);

  await decide("resume");
  expect(await hub.inbox(ben)).toEqual(["one"]);
});
