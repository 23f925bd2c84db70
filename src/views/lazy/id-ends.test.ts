import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../../test/fakes/patiently.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { createIdEnds, idEndsView } from "./id-ends.js";
import { openLazyViews } from "./lazy-views.js";

function open(hub: TestHub) {
  const lazy = openLazyViews({
    file: join(dirname(hub.file), "views.db"),
    views: [idEndsView],
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => expect.unreachable(String(problem)),
  });
  onTestFinished(lazy.close);
  const find = createIdEnds(lazy);
  return {
    ...lazy,
    find: (agent: string, digits: string) => lazy.caughtUp().then(() => find(agent, digits)),
  };
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

test("a message is found by the end of its id, by its sender and its reader alone", async () => {
  const { hub, alice, bob, carol } = await openWithAgents();
  const one = await hub.send(alice, bob, "one", { id: "0190-1234abcd" });
  const two = await hub.send(alice, bob, "two", { id: "0190-5678abcd" });
  const { find } = open(hub);

  for (const party of [alice, bob]) {
    expect(await find(party, "1234abcd")).toEqual([one.seq]);
    expect(await find(party, "8abcd")).toEqual([two.seq]);
    expect(await find(party, "abcd")).toEqual([two.seq, one.seq]);
    expect(await find(party, "bcde")).toEqual([]);
  }
  expect(await find(carol, "abcd")).toEqual([]);
});

test("of what is for many there is one row, and every reader finds it", async () => {
  const { hub, alice, bob, carol } = await openWithAgents();
  const { messageId } = await hub.execute("broadcast", { from: alice, content: "all", id: "0190-beefbeef" });
  const request = await hub.execute("openRequest", { from: alice, description: "help" });
  const late = await hub.register("late");
  const { find, db } = open(hub);

  const seqs = hub.views.messages.byId(messageId).map(({ seq }) => seq);
  for (const party of [alice, bob, carol]) expect(await find(party, "beef")).toEqual(seqs);
  expect(await find(late, request.requestId.slice(-8))).toHaveLength(1);
  expect(db.prepare("SELECT count(*) AS n FROM id_end WHERE party = 0").get()).toEqual({ n: 2 });
});

test("what is pruned is found no more, and the rest is", async () => {
  const { hub, alice, bob } = await openWithAgents();
  const old = await hub.send(alice, bob, "old", { id: "0190-1234abcd" });
  const kept = await hub.send(alice, bob, "kept", { id: "0190-5678abcd" });
  const { find, prune } = open(hub);
  expect(await find(bob, "abcd")).toEqual([kept.seq, old.seq]);

  prune(old.seq);

  await patiently(async () => expect(await find(bob, "abcd")).toEqual([kept.seq]));
  expect(await find(alice, "abcd")).toEqual([kept.seq]);
});
