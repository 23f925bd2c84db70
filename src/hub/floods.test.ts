import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";

const DAY_MS = 24 * 3_600_000;

/** Two honest agents and one that fills every inbox, the person's too. */
async function openFlooded(room = 2) {
  const hub = openTestHub({ limits: { inboxCap: 5, inboxRoom: room } });
  const [mallory, alice, bob] = [
    await hub.register("mallory"),
    await hub.register("alice"),
    await hub.register("bob"),
  ];
  for (const target of [alice, bob, "human"]) {
    for (let i = 0; i < 5; i++) await hub.send(mallory, target, `flood ${i}`);
    expect(await refusal(hub.send(mallory, target))).toMatchObject({ code: "INBOX_FULL" });
  }
  return { hub, mallory, alice, bob };
}

test("an inbox that one agent filled keeps room for every other sender", async () => {
  const { hub, mallory, alice, bob } = await openFlooded();

  await hub.send(alice, bob, "honest 1");
  await hub.send(alice, bob, "honest 2");
  await hub.send(alice, "human", "for the person");
  const full = await refusal(hub.send(alice, bob, "honest 3"));

  expect(full).toMatchObject({ code: "INBOX_FULL", details: { target: "bob", cap: 5 } });
  expect(full.message).toBe(
    'The inbox of "bob" is full (7 unread, 2 of them yours); send again once it has read some',
  );
  expect(await refusal(hub.send(mallory, bob))).toMatchObject({ code: "INBOX_FULL" });
  expect((await hub.inbox(bob)).slice(-2)).toEqual(["honest 1", "honest 2"]);
});

test("a broadcast, a request and an answer find that room as well", async () => {
  const { hub, alice, bob } = await openFlooded();

  expect(await hub.execute("broadcast", { from: alice, content: "all" })).toMatchObject({ failed: [] });
  const request = await hub.ask(alice, "help");
  expect((await hub.inbox(bob)).slice(-2)).toEqual(["all", "help"]);
  await hub.answer(bob, request, "done");
  expect((await hub.inbox(alice)).at(-1)).toBe("done");
});

test("the person gets through whatever agents sent, and so does the hub", async () => {
  const { hub, bob } = await openFlooded(0);

  for (let i = 0; i < 5; i++) await hub.send("human", bob, `mine ${i}`);
  expect(await refusal(hub.send("human", bob))).toMatchObject({ code: "INBOX_FULL" });

  const sent = await hub.send(bob, await hub.register("gone"), "hello");
  await hub.deregister(hub.views.roster.byName("gone", "main")?.id ?? "");
  expect((await hub.inbox(bob)).at(-1)).toContain(sent.messageId);
});

test("room that was used up comes back when the mail is read, and a restart knows what there is", async () => {
  const { hub, alice, bob } = await openFlooded();
  const { messageId } = await hub.send(alice, bob, "honest 1");
  await hub.send(alice, bob, "honest 2");
  await refusal(hub.send(alice, bob));
  await hub.read(bob);
  await hub.ack(bob, messageId);
  await hub.send(alice, bob, "honest 3");

  const again = await hub.restart();
  expect(await refusal(again.send(alice, bob))).toMatchObject({ code: "INBOX_FULL" });
});

test("an agent has so many requests open and no more; others and the person still ask", async () => {
  const hub = openTestHub({ limits: { requestAgentCap: 3, requestOpenCap: 4 } });
  const [mallory, alice, bob] = [
    await hub.register("mallory"),
    await hub.register("alice"),
    await hub.register("bob"),
  ];
  const asked = [];
  for (let i = 0; i < 3; i++) asked.push(await hub.ask(mallory, `flood ${i}`, { timeoutMs: DAY_MS }));

  const full = await refusal(hub.ask(mallory));
  expect(full).toMatchObject({ code: "REQUESTS_FULL", details: { cap: 3 } });
  expect(full.message).toContain("3 requests of yours are open already (requests.agent_cap)");
  await hub.ask(alice);
  expect(await refusal(hub.ask(bob))).toMatchObject({ code: "REQUESTS_FULL", details: { cap: 4 } });
  await hub.ask("human");

  await hub.claim(bob, asked[0] ?? "");
  await hub.ask(bob);
  const again = await hub.restart();
  expect(await refusal(again.ask(alice))).toMatchObject({ code: "REQUESTS_FULL" });
});

test("requests and nudges of one agent have a pace, which a restart does not forget; the person has none", async () => {
  const before = openTestHub({ limits: { requestPace: 4 } });
  const [mallory, alice] = [await before.register("mallory"), await before.register("alice")];
  const request = await before.ask(mallory, "one", { timeoutMs: DAY_MS });
  before.clock.advance(20_000);
  await before.ask(mallory, "two");
  await before.execute("nudgeRequest", { agent: mallory, request });
  await before.ask(mallory, "three");

  const hub = await before.restart();
  const refused = await refusal(hub.ask(mallory, "four"));
  expect(refused).toMatchObject({ code: "RATE_LIMITED", details: { retry_after_ms: 40_000 } });
  expect(refused.message).toContain("4 times within a minute");
  expect(await refusal(hub.execute("nudgeRequest", { agent: mallory, request }))).toMatchObject({
    code: "RATE_LIMITED",
  });
  await hub.ask(alice, "mine");
  for (let i = 0; i < 6; i++) await hub.ask("human", `mine ${i}`);

  hub.clock.advance(40_000);
  await hub.ask(mallory, "four");
  expect(await refusal(hub.ask(mallory, "five"))).toMatchObject({ code: "RATE_LIMITED" });
});

test("when a flood stops all agents, the person is asked, and a word to a flooded agent lets them go on", async () => {
  const hub = openTestHub({ limits: { ...pacedLimits, inboxCap: 40, inboxRoom: 5 } });
  const agents = [];
  for (let i = 0; i < 6; i++) agents.push(await hub.register(`agent-${i}`));
  const [mallory = "", alice = "", bob = ""] = agents;
  for (let i = 0; i < 60; i++) await hub.ask(mallory, `flood ${i}`, { timeoutMs: DAY_MS });
  expect(hub.views.inbox.depth(bob)).toBe(40);
  expect((await hub.send(alice, bob, "honest")).state).toBe("held");
  const [asked] = await hub.inbox("human");
  expect(asked).toContain("Any message from you to an agent lets it go on.");

  await hub.send("human", bob, "go on");

  expect(hub.views.inbox.heldCount("backstop")).toBe(0);
  expect(await hub.inbox(bob)).toEqual(expect.arrayContaining(["honest", "go on"]));
});

test("one agent, with those below it, registers so many sessions; others and the person go on", async () => {
  const hub = openTestHub({ limits: { children: 3 } });
  const [mallory, alice] = [await hub.register("mallory"), await hub.register("alice")];
  const first = await hub.register("m-1", { parent: mallory });
  await hub.register("m-2", { parent: first });
  const third = await hub.register("m-3", { parent: first });

  const refused = await refusal(hub.register("m-4", { parent: mallory }));
  expect(refused).toMatchObject({ code: "HOSTED_LIMIT", details: { limit: 3 } });
  expect(refused.message).toContain("you and those below you");
  expect((await refusal(hub.register("m-4", { parent: third }))).message).toContain('"mallory"');
  await hub.register("a-1", { parent: alice });
  await hub.register("free");

  await hub.deregister(first);
  await hub.register("m-4", { parent: third });
  expect(await refusal(hub.register("m-5", { parent: third }))).toMatchObject({ code: "HOSTED_LIMIT" });
  const again = await hub.restart();
  expect(await refusal(again.register("m-5", { parent: third }))).toMatchObject({ code: "HOSTED_LIMIT" });
});

test("each agent below an orchestrator has a share of its own", async () => {
  const hub = openTestHub({ limits: { children: 1 } });
  const boss = await hub.register("boss", { role: "orchestrator" });
  const workers = [await hub.register("w-1", { parent: boss }), await hub.register("w-2", { parent: boss })];
  for (const worker of workers) await hub.register("child", { parent: worker });

  expect(await refusal(hub.register("child", { parent: workers[0] }))).toMatchObject({
    code: "HOSTED_LIMIT",
  });
});

test("one agent claims so many tasks; what agents claimed keeps the person from nothing", async () => {
  const hub = openTestHub({ limits: { workCap: 3, workAgentCap: 2 } });
  const [mallory, alice] = [await hub.register("mallory"), await hub.register("alice")];
  for (const task of ["one", "two"]) await hub.work(mallory, "claim", task);

  expect(await refusal(hub.work(mallory, "claim", "three"))).toMatchObject({
    code: "CLAIMS_FULL",
    details: { cap: 2 },
  });
  expect(await hub.work(mallory, "claim", "one")).toMatchObject({ ok: true });
  await hub.work(alice, "claim", "three");
  expect(await refusal(hub.work(alice, "claim", "four"))).toMatchObject({ details: { cap: 3 } });
  expect(await hub.work("human", "claim", "four")).toMatchObject({ ok: true });
  await hub.work(mallory, "release", "one");
  await hub.work(mallory, "release", "two");
  await hub.work(mallory, "claim", "five");
});
