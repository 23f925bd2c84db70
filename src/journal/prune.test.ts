import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { patiently } from "../../test/fakes/patiently.js";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { dumpViews } from "../../test/fakes/test-journal.js";
import type { AgentId } from "../model/agent.js";
import { isPruningUnfinished } from "./prune.js";
import { rebuildViews } from "./rebuild.js";

const HOUR = 3_600_000;

async function openWithMail(count: number) {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const sent = [];
  for (let i = 0; i < count; i++) {
    sent.push(await hub.send(alice, bob, `message ${i}`));
    hub.clock.advance(HOUR);
  }
  return { hub, alice, bob, sent };
}

async function readAll(hub: TestHub, agent: AgentId) {
  const { messages } = await hub.read(agent);
  await hub.ack(agent, ...messages.map(({ message }) => message.id));
}

const expectRebuiltTheSame = (hub: TestHub) => {
  const before = dumpViews(hub.db, hub.views);
  rebuildViews(hub.db, Object.values(hub.views));
  expect(dumpViews(hub.db, hub.views)).toEqual(before);
};

test("old events go, and what had ended by then; agents and what is newer stay", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const old = await hub.send(alice, bob, "old");
  await readAll(hub, bob);
  hub.clock.advance(HOUR);
  const newer = await hub.send(alice, bob, "newer");

  const pruned = await hub.pruneBefore(hub.clock.wall());

  expect(pruned).toEqual({ events: newer.seq - 1, first: newer.seq, keptBy: null });
  expect(hub.events.firstSeq()).toBe(newer.seq);
  expect(hub.views.messages.byId(old.messageId)).toEqual([]);
  expect(hub.views.inbox.get(old.seq, bob)).toBeUndefined();
  expect(hub.views.roster.byName("alice", "main")?.id).toBe(alice);
  expect(await hub.inbox(bob)).toEqual(["newer"]);
  expect(hub.receipt(newer.messageId).state).toBe("offered");
  expectRebuiltTheSame(hub);
});

test("an id whose message was pruned may be used again", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, "first", { id: "mine" });
  hub.clock.advance(HOUR);
  const between = hub.clock.wall();
  hub.clock.advance(HOUR);
  await readAll(hub, bob); // Open when the pruned part of the journal ends, and over by now.
  await hub.pruneBefore(between);

  await hub.send(alice, bob, "another", { id: "mine" });

  expect(await hub.inbox(bob)).toEqual(["another"]);
  expectRebuiltTheSame(hub);
  hub.clock.advance(HOUR);
  await readAll(hub, bob);
  await hub.register("carol");
  await hub.pruneBefore(hub.clock.wall());
  expectRebuiltTheSame(hub);
});

test("mail that waits keeps its events and all after them, however old", async () => {
  const { hub, bob, sent } = await openWithMail(3);
  const waiting = sent[0]?.seq ?? 0;

  expect(await hub.pruneBefore(hub.clock.wall())).toEqual({
    events: waiting - 1,
    first: waiting,
    keptBy: "unfinished",
  });
  expect(await hub.inbox(bob)).toEqual(["message 0", "message 1", "message 2"]);
  expectRebuiltTheSame(hub);
});

test("an open or claimed request keeps its events", async () => {
  const hub = openTestHub({ limits: { requestDefaultMs: 24 * HOUR } });
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const before = hub.events.lastSeq();
  const request = await hub.ask(alice, "help");
  await hub.claim(bob, request);
  await readAll(hub, alice);
  hub.clock.advance(HOUR);
  await hub.register("carol");

  const { first, keptBy } = await hub.pruneBefore(hub.clock.wall());

  expect({ first, keptBy }).toEqual({ first: before + 1, keptBy: "unfinished" });
  expectRebuiltTheSame(hub);
});

test("the newest event always stays: numbers and time go on from it, also after a restart", async () => {
  const { hub, bob } = await openWithMail(2);
  await readAll(hub, bob);
  hub.clock.advance(HOUR);
  const last = hub.events.lastSeq();

  expect(await hub.pruneBefore(hub.clock.wall())).toMatchObject({ first: last, keptBy: "newest" });

  const now = hub.now();
  const again = await hub.restart();
  expect(again.now()).toBeGreaterThanOrEqual(now);
  const carol = await again.register("carol");
  expect(again.events.lastSeq()).toBe(last + 2);
  expect(again.views.roster.byId(carol)?.name).toBe("carol");
  expectRebuiltTheSame(again);
});

test("a single event goes as well, and then nothing is left to finish", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  hub.clock.advance(HOUR);
  await hub.pruneBefore(hub.clock.wall());
  const first = hub.events.firstSeq();
  await hub.rename(alice, "ann");
  expect(hub.events.lastSeq()).toBe(first + 1);
  hub.clock.advance(HOUR);

  expect(await hub.pruneBefore(hub.clock.wall())).toMatchObject({ events: 1, first: first + 1 });

  expect(isPruningUnfinished(hub)).toBe(false);
  expectRebuiltTheSame(hub);
});

test("what is left of thousands is loaded whole", async () => {
  const { hub, bob } = await openWithMail(1);
  await Promise.all(Array.from({ length: 1100 }, (_, i) => hub.register(`agent-${i}`)));
  await readAll(hub, bob);
  hub.clock.advance(HOUR);

  await hub.pruneBefore(hub.clock.wall());

  expectRebuiltTheSame(hub);
});

test("nothing to prune is no error", async () => {
  const { hub } = await openWithMail(1);
  expect(await hub.pruneBefore(0)).toEqual({ events: 0, first: 1, keptBy: null });
});

test("commands are answered while it works, and are in the views that are left", async () => {
  const { hub, alice, bob } = await openWithMail(900);
  for (let i = 0; i < 9; i++) await readAll(hub, bob);
  hub.clock.advance(HOUR);
  let ended = false;
  const pruning = hub.pruneBefore(hub.clock.wall()).finally(() => {
    ended = true;
  });
  let answered = 0;
  while (!ended) {
    await hub.send(alice, bob, `meanwhile ${answered}`);
    if (!ended) answered++;
  }

  expect(answered).toBeGreaterThan(10);
  expect((await pruning).events).toBeGreaterThan(900);
  expect(hub.views.inbox.depth(bob)).toBe(answered + 1);
  expectRebuiltTheSame(hub);
}, 300_000);

test("one at a time", async () => {
  const { hub } = await openWithMail(3);
  const first = hub.pruneBefore(hub.clock.wall());
  expect((await refusal(hub.pruneBefore(hub.clock.wall()))).code).toBe("MAINTENANCE_RUNNING");
  await first;
  await hub.pruneBefore(hub.clock.wall());
});

test.each([1, 2, 3, 5, 8])(
  "a hub that stops after %i steps of it has sound views at its next start",
  async (steps) => {
    const { hub, alice, bob } = await openWithMail(450);
    for (let i = 0; i < 5; i++) await readAll(hub, bob);
    hub.clock.advance(HOUR);
    await hub.send(alice, bob, "newest");
    const pruning = hub.pruneBefore(hub.clock.wall()).catch(() => {});
    for (let turn = 0; turn < steps * 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    const again = await hub.restart();
    await pruning;

    expect(await again.inbox(bob)).toEqual(["newest"]);
    // It ends by itself what it began.
    await patiently(() => again.pruneBefore(again.clock.wall()));
    expectRebuiltTheSame(again);
  },
);

type Step = (hub: TestHub, agents: AgentId[]) => Promise<unknown>;
const who = fc.nat({ max: 3 });
const at = (agents: readonly AgentId[], i: number) => agents[i % agents.length] ?? "";

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(who, who, fc.constantFrom(undefined, 60_000)).map(sendStep) },
  who.map(
    (a): Step =>
      (hub, agents) =>
        hub.read(at(agents, a)),
  ),
  {
    weight: 3,
    arbitrary: who.map(
      (a): Step =>
        (hub, agents) =>
          readAll(hub, at(agents, a)),
    ),
  },
  fc.tuple(who, who).map(
    ([a, b]): Step =>
      async (hub, agents) => {
        const [first] = (await hub.read(at(agents, a))).messages;
        return hub.send(at(agents, a), at(agents, b), "re", { replyTo: first?.message.id });
      },
  ),
  who.map(
    (a): Step =>
      (hub, agents) =>
        hub.ask(at(agents, a)),
  ),
  fc.tuple(who, fc.boolean()).map(
    ([a, answered]): Step =>
      async (hub, agents) => {
        const [request] = hub.views.requests.list({ status: "open", limit: 1 });
        await hub.claim(at(agents, a), request?.id ?? "");
        if (answered) await hub.answer(at(agents, a), request?.id ?? "", "done");
      },
  ),
  who.map(
    (a): Step =>
      (hub, agents) =>
        hub.execute("broadcast", { from: at(agents, a), content: "all" }),
  ),
  fc.tuple(who, fc.nat({ max: 2 })).map(
    ([a, n]): Step =>
      (hub, agents) =>
        hub.rename(at(agents, a), `name-${n}`),
  ),
  who.map(
    (a): Step =>
      (hub, agents) =>
        hub.work(at(agents, a), "claim", "task"),
  ),
  fc.constantFrom(10, 61_000, 4_000_000, 90_000_000).map(
    (ms): Step =>
      (hub) => {
        hub.clock.advance(ms);
        return hub.ring();
      },
  ),
  { weight: 2, arbitrary: fc.nat({ max: 100_000_000 }).map(pruneStep) },
);

function sendStep([from, to, expiresInMs]: [number, number, number | undefined]): Step {
  return (hub, agents) => hub.send(at(agents, from), at(agents, to), "hello", { expiresInMs });
}

function pruneStep(ago: number): Step {
  return (hub) => hub.pruneBefore(hub.clock.wall() - ago);
}

test("whatever happened and was pruned, folding again gives the very same tight views", async () => {
  await checkAsyncProperty(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const hub = openTestHub();
      const agents = await Promise.all(["alice", "bob", "carol", "dave"].map((name) => hub.register(name)));
      for (const act of steps) await act(hub, agents).catch(() => {});
      await hub.pruneBefore(hub.clock.wall());
      expectRebuiltTheSame(hub);
      await hub.close();
    }),
    { runs: 30 },
  );
}, 300_000);
