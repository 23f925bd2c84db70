import { expect, test } from "vitest";
import { freeDisk } from "../../test/fakes/full-disk.js";
import { patiently } from "../../test/fakes/patiently.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { AgentId } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";
import { createMailPump } from "./mail-pump.js";

async function openPump() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const { views, execute, onApplied, onCommitted } = hub;
  const pump = createMailPump({ views, execute, onApplied, onCommitted, wall: () => 7 });
  const join = (agent: AgentId, window: number) => {
    const taken: { content: string; id: string; repeated: boolean }[] = [];
    const failures: unknown[] = [];
    const seat = pump.join(agent, {
      take: (messages) =>
        taken.push(
          ...messages.map(({ message, repeated }) => ({
            content: message.content,
            id: message.id,
            repeated,
          })),
        ),
      fail: (error) => failures.push(error),
    });
    seat.setWindow(window);
    return { ...seat, taken, failures, contents: () => taken.map(({ content }) => content) };
  };
  return { hub, alice, bob, pump, join };
}

function commitsOf(hub: TestHub): HubEvent["type"][][] {
  const commits: HubEvent["type"][][] = [];
  hub.onCommitted((events) => commits.push(events.map(({ type }) => type)));
  return commits;
}

test("what arrives is handed out by the very commit that brings it", async () => {
  const { hub, alice, bob, join } = await openPump();
  const taker = join(bob, 10);
  await hub.settled();
  const commits = commitsOf(hub);

  await hub.send(alice, bob, "hello");

  expect(taker.contents()).toEqual(["hello"]);
  expect(commits).toEqual([["MessageAccepted", "MessagesOffered"]]);
});

test("messages of one commit are handed out in it, in order", async () => {
  const { hub, alice, bob, join } = await openPump();
  const taker = join(bob, 10);
  await hub.settled();
  const commits = commitsOf(hub);

  await Promise.all(["one", "two", "three"].map((content) => hub.send(alice, bob, content)));

  expect(taker.contents()).toEqual(["one", "two", "three"]);
  expect(commits).toHaveLength(1);
});

test("what waited comes first, and no more than there is room for until some is proved", async () => {
  const { hub, alice, bob, join } = await openPump();
  for (const content of ["1", "2", "3"]) await hub.send(alice, bob, content);
  const taker = join(bob, 2);
  await hub.settled();
  await hub.send(alice, bob, "4");
  expect(taker.contents()).toEqual(["1", "2"]);

  await hub.ack(bob, taker.taken[0]?.id ?? "");
  await patiently(() => expect(taker.contents()).toEqual(["1", "2", "3"]));
  await hub.ack(bob, taker.taken[1]?.id ?? "", taker.taken[2]?.id ?? "");

  await patiently(() => expect(taker.contents()).toEqual(["1", "2", "3", "4"]));
  expect(taker.taken.every(({ repeated }) => !repeated)).toBe(true);
});

test("what is in hand is not handed out again, however long it takes", async () => {
  const { hub, alice, bob, join } = await openPump();
  const taker = join(bob, 10);
  await hub.send(alice, bob, "slow work");
  hub.clock.advance(24 * 3600_000);

  await hub.send(alice, bob, "next");

  await patiently(() => expect(taker.contents()).toEqual(["slow work", "next"]));
});

test("what a taker leaves behind goes to another at once, marked; what it proved does not", async () => {
  const { hub, alice, bob, join } = await openPump();
  const first = join(bob, 10);
  await hub.send(alice, bob, "proved");
  await hub.send(alice, bob, "left");
  await hub.ack(bob, first.taken[0]?.id ?? "");
  const second = join(bob, 1);
  await hub.settled();
  expect(second.contents()).toEqual([]);

  first.leave();

  await patiently(() => expect(second.taken).toMatchObject([{ content: "left", repeated: true }]));
});

test("a message goes to one of several takers, the one with most room", async () => {
  const { hub, alice, bob, join } = await openPump();
  const [small, large] = [join(bob, 1), join(bob, 2)];
  await hub.settled();

  for (const content of ["1", "2", "3", "4"]) await hub.send(alice, bob, content);

  expect([...small.contents(), ...large.contents()].sort()).toEqual(["1", "2", "3"]);
  expect(large.contents()).toHaveLength(2);
});

test("what is held is handed out when it is released, in the order of its sender", async () => {
  const { hub, alice, bob, join } = await openPump();
  const taker = join(bob, 10);
  await hub.settled();
  await hub.execute("decidePair", { by: "human", from: alice, to: bob, action: "pause" });
  await hub.send(alice, bob, "held");
  await hub.send(alice, bob, "behind");
  expect(taker.contents()).toEqual([]);

  await hub.execute("decidePair", { by: "human", from: alice, to: bob, action: "resume" });

  await patiently(() => expect(taker.contents()).toEqual(["held", "behind"]));
});

test("when nothing can be stored the taker is told, and the message waits in the inbox", async () => {
  const { hub, alice, bob, join } = await openPump();
  await hub.send(alice, bob, "kept", { id: "k".repeat(200_000) });
  // That it was handed out needs as much room, and there is none.
  hub.db.pragma("max_page_count = 1");
  const taker = join(bob, 10);
  await patiently(() => expect(taker.failures).toMatchObject([{ code: "STORAGE_FULL" }]));
  taker.leave();
  freeDisk(hub.db);

  const next = join(bob, 10);

  await patiently(() => expect(next.contents()).toEqual(["kept"]));
});

test("whose mail is taken, and since when, is known until the last taker leaves", async () => {
  const { bob, alice, pump, join } = await openPump();
  const [first, second] = [join(bob, 1), join(bob, 1)];
  expect([pump.takenSince(bob), pump.takenSince(alice)]).toEqual([7, undefined]);

  first.leave();
  first.leave();
  expect(pump.takenSince(bob)).toBe(7);
  second.leave();

  expect(pump.takenSince(bob)).toBeUndefined();
});
