import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../../test/fakes/patiently.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { openLazyViews } from "./lazy-views.js";
import { createMailOf, mailOfView } from "./mail-of.js";

const newest = { before: Number.MAX_SAFE_INTEGER };

function open(hub: TestHub) {
  const lazy = openLazyViews({
    file: join(dirname(hub.file), "views.db"),
    views: [mailOfView],
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => expect.unreachable(String(problem)),
  });
  onTestFinished(lazy.close);
  const read = createMailOf(lazy);
  const mailOf: typeof read = (...args) => lazy.caughtUp().then(() => read(...args));
  return { ...lazy, mailOf };
}

async function openWithAgents() {
  const hub = openTestHub();
  const [alice, bob, carol] = [
    await hub.register("alice"),
    await hub.register("bob"),
    await hub.register("carol"),
  ];
  return { hub, alice, bob, carol };
}

test("what an agent sent and got is read from its end, or from a place on, in pages", async () => {
  const { hub, alice, bob, carol } = await openWithAgents();
  const sent = [
    await hub.send(alice, bob, "one"),
    await hub.send(bob, alice, "two"),
    await hub.send(carol, bob, "three"),
    await hub.send(alice, bob, "four"),
  ].map(({ seq }) => seq);
  const [one = 0, two = 0, , four = 0] = sent;
  const { mailOf } = open(hub);

  expect(await mailOf(alice, newest, 10)).toEqual([four, two, one]);
  expect(await mailOf(alice, newest, 2)).toEqual([four, two]);
  expect(await mailOf(alice, { before: two }, 2)).toEqual([one]);
  expect(await mailOf(alice, { after: one }, 10)).toEqual([two, four]);
  expect(await mailOf(bob, { after: 0 }, 10)).toEqual(sent);
});

test("what is for many is in everybody's place among their own, with one row for all", async () => {
  const { hub, alice, bob, carol } = await openWithAgents();
  const first = await hub.send(alice, bob, "first");
  const { messageId } = await hub.execute("broadcast", { from: alice, content: "all" });
  const last = await hub.send(bob, alice, "last");
  const [all] = hub.views.messages.byId(messageId).map(({ seq }) => seq);
  const { mailOf, db } = open(hub);

  expect(await mailOf(alice, newest, 10)).toEqual([last.seq, all, first.seq]);
  expect(await mailOf(bob, newest, 2)).toEqual([last.seq, all]);
  expect(await mailOf(carol, newest, 10)).toEqual([all]);
  expect(db.prepare("SELECT count(*) AS n FROM mail_of WHERE party = 0").get()).toEqual({ n: 1 });
});

test("what is pruned is read no more, and the rest is", async () => {
  const { hub, alice, bob } = await openWithAgents();
  const old = await hub.send(alice, bob, "old");
  const kept = await hub.send(alice, bob, "kept");
  const { mailOf, prune } = open(hub);
  expect(await mailOf(bob, newest, 10)).toEqual([kept.seq, old.seq]);

  prune(old.seq);

  await patiently(async () => expect(await mailOf(bob, newest, 10)).toEqual([kept.seq]));
  expect(await mailOf(alice, newest, 10)).toEqual([kept.seq]);
});
