import { expect, test, vi } from "vitest";
import { fillDisk } from "../../test/fakes/full-disk.js";
import { patiently } from "../../test/fakes/patiently.js";
import { outcome } from "../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { InboxReader } from "../hub/inbox-port.js";
import type { HubEvent } from "../model/events.js";
import { createInboxReader } from "./inbox-reader.js";

async function openReader() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const reader = hub.reader();
  return { hub, alice, bob, reader };
}

/** The contents that a read ends with. */
async function contents(reading: ReturnType<InboxReader["read"]>): Promise<string[]> {
  return (await reading).messages.map(({ message }) => message.content);
}

function commitsOf(hub: TestHub): HubEvent["type"][][] {
  const commits: HubEvent["type"][][] = [];
  hub.onCommitted((events) => commits.push(events.map(({ type }) => type)));
  return commits;
}

test("a read without waiting answers with what is there", async () => {
  const { hub, alice, bob, reader } = await openReader();
  expect(await reader.read({ agent: bob, waitMs: 0 })).toEqual({ messages: [], more: false });

  await hub.send(alice, bob, "hello");

  expect(await contents(reader.read({ agent: bob, waitMs: 0 }))).toEqual(["hello"]);
});

test("a wait does not wait for what is there already", async () => {
  const { hub, alice, bob, reader } = await openReader();
  await hub.send(alice, bob, "hello");

  expect(await contents(reader.read({ agent: bob, waitMs: 60_000 }))).toEqual(["hello"]);
  expect(reader.waiting()).toBe(0);
});

test("an open wait is answered by the very commit that brings the message", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const waiting = reader.read({ agent: bob, waitMs: 60_000 });
  const commits = commitsOf(hub);

  await hub.send(alice, bob, "hello");

  expect(await contents(waiting)).toEqual(["hello"]);
  expect(commits).toEqual([["MessageAccepted", "MessagesOffered"]]);
  expect(hub.views.inbox.unread(bob, 0, 10)).toMatchObject([
    { state: "offered", steps: [{ route: "wait" }] },
  ]);
});

test("a wait for one sender sleeps through the mail of others", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const carol = await hub.register("carol");
  const waiting = reader.read({ agent: bob, from: carol, waitMs: 60_000 });

  await hub.send(alice, bob, "from alice");
  expect(reader.waiting()).toBe(1);
  await hub.send(carol, bob, "from carol");

  expect(await contents(waiting)).toEqual(["from carol"]);
});

test("a wait that nobody answers ends with nothing when its time is up", async () => {
  const { bob, reader } = await openReader();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const waiting = reader.read({ agent: bob, waitMs: 1000 });
    expect(reader.waiting()).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(await waiting).toEqual({ messages: [], more: false });
    expect(reader.waiting()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a wait whose reader hung up takes no mail", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const hangUp = new AbortController();
  const waiting = reader.read({ agent: bob, waitMs: 60_000, signal: hangUp.signal });

  hangUp.abort();
  const { messageId } = await hub.send(alice, bob, "hello");

  expect(await contents(waiting)).toEqual([]);
  expect(hub.receipt(messageId).state).toBe("accepted");
  expect(await contents(reader.read({ agent: bob, waitMs: 60_000, signal: hangUp.signal }))).toEqual([
    "hello",
  ]);
});

test("the waits of an agent that left, and of a hub that stops, end with nothing", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const waits = [alice, bob, bob].map((agent) => reader.read({ agent, waitMs: 60_000 }));

  await hub.deregister(bob);
  reader.end(bob);
  expect(await Promise.all(waits.slice(1).map(contents))).toEqual([[], []]);
  expect(reader.waiting()).toBe(1);

  reader.close();
  expect(await Promise.all(waits.map(contents))).toEqual([[], [], []]);
  expect(await contents(reader.read({ agent: alice, waitMs: 60_000 }))).toEqual([]);
  expect(reader.waiting()).toBe(0);
});

test("two waits of one agent both get the message; the second is told that it is a repeat", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const waits = [1, 2].map(() => reader.read({ agent: bob, waitMs: 60_000 }));

  const { messageId } = await hub.send(alice, bob, "hello");

  const answers = await Promise.all(waits);
  expect(answers.map(({ messages }) => messages.map(({ repeated }) => repeated))).toEqual([[false], [true]]);
  expect(hub.receipt(messageId)).toMatchObject({ state: "offered", attempt: 1 });
});

test("a wait woken by a message that was rolled back again hands out nothing, and goes on", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const waiting = reader.read({ agent: bob, waitMs: 60_000 });

  const sends = [hub.send(alice, bob, "hello"), hub.send(alice, bob, "x", { id: fillDisk(hub.db) })];

  expect(await Promise.all(sends.map(outcome))).toEqual(["STORAGE_FULL", "STORAGE_FULL"]);
  expect(hub.views.inbox.depth(bob)).toBe(0);
  await patiently(() => expect(reader.waiting()).toBe(1));
  reader.end(bob);
  expect(await contents(waiting)).toEqual([]);
});

test("what was handed out a moment ago comes again at once, or only when it is due", async () => {
  const { hub, alice, bob, reader } = await openReader();
  await hub.send(alice, bob, "hello");
  const read = (again: "at once" | "when due") => contents(reader.read({ agent: bob, waitMs: 0, again }));

  expect(await read("when due")).toEqual(["hello"]);
  expect(await read("when due")).toEqual([]);
  expect(await read("at once")).toEqual(["hello"]);

  hub.clock.advance(60_000);
  expect(await read("when due")).toEqual(["hello"]);
});

test("of two waits that want nothing twice, one gets the message and the other goes on", async () => {
  const { hub, alice, bob, reader } = await openReader();
  const waits = [1, 2].map(() => reader.read({ agent: bob, waitMs: 60_000, again: "when due" }));

  await hub.send(alice, bob, "first");
  expect(await Promise.race(waits.map(contents))).toEqual(["first"]);
  await patiently(() => expect(reader.waiting()).toBe(1));

  await hub.send(alice, bob, "second");
  expect((await Promise.all(waits.map(contents))).flat().sort()).toEqual(["first", "second"]);
});

test("a wait hands out at most as many as it was asked for", async () => {
  const { hub, alice, bob, reader } = await openReader();
  for (const text of ["one", "two", "three"]) await hub.send(alice, bob, text);

  const { messages, more } = await reader.read({ agent: bob, waitMs: 0, limit: 2 });

  expect(messages.map(({ message }) => message.content)).toEqual(["one", "two"]);
  expect(more).toBe(true);
});

test("a reader that acknowledges nothing gets further by the number of what it has", async () => {
  const { hub, alice, bob, reader } = await openReader();
  for (const text of ["one", "two", "three"]) await hub.send(alice, bob, text);
  const first = await reader.read({ agent: bob, waitMs: 0, limit: 2 });
  const after = first.messages.at(-1)?.seq;

  expect(await contents(reader.read({ agent: bob, waitMs: 0, after }))).toEqual(["three"]);

  const last = (await reader.read({ agent: bob, waitMs: 0, after })).messages.at(-1)?.seq;
  const waiting = reader.read({ agent: bob, waitMs: 60_000, after: last });
  expect(reader.waiting()).toBe(1);
  await hub.send(alice, bob, "four");
  expect(await contents(waiting)).toEqual(["four"]);
});

test("who is inside a wait is known, and since when; the wait of a hook is none", async () => {
  const { hub, alice, bob, reader } = await openReader();
  expect(reader.waitingSince(bob)).toBeUndefined();
  const began = hub.clock.wall();
  const waits = [reader.read({ agent: bob, waitMs: 60_000 })];
  hub.clock.advance(5_000);
  waits.push(reader.read({ agent: bob, waitMs: 60_000, from: alice }));
  const worthTurn = { after: 0, attempts: 3 };
  const hook = reader.read({ agent: alice, waitMs: 60_000, worthTurn });

  expect(reader.waitingSince(bob)).toBe(began);
  expect(reader.waitingSince(alice)).toBeUndefined();

  await hub.send(alice, bob, "hello");
  reader.close();
  await Promise.all([...waits, hook]);
  expect(reader.waitingSince(bob)).toBeUndefined();
});

test("that the hub stops ends a wait, but not one that goes on at the next hub", async () => {
  const { hub, bob, reader } = await openReader();
  const told = reader.read({ agent: bob, waitMs: 60_000 });
  const goesOn = reader.read({ agent: bob, waitMs: 60_000, overRestarts: true });

  await hub.execute("announceStop", { withinMs: 30_000 });

  expect(await contents(told)).toEqual([expect.stringContaining("The hub stops now")]);
  expect(reader.waiting()).toBe(1);
  reader.close();
  expect(await contents(goesOn)).toEqual([]);
});

test("a wait is woken when something unproven is due again", async () => {
  const { hub, alice, bob } = await openReader();
  const reader = createInboxReader({
    views: hub.views,
    execute: hub.execute,
    onApplied: hub.onApplied,
    now: hub.now,
    wall: hub.clock.wall,
    reofferAfterMs: 1,
  });
  await hub.send(alice, bob, "hello");
  await hub.read(bob);
  hub.clock.advance(60_000);

  expect(await contents(reader.read({ agent: bob, waitMs: 60_000, again: "when due" }))).toEqual(["hello"]);
});
