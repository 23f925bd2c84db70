import { expect, test } from "vitest";
import { carryAll, openLinkedHubs } from "../../test/fakes/linked-hubs.js";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";

/* A handoff over hubs, mail that follows it, and the offer of one. */

type Terms = { to: string; forward?: boolean; id?: string };

function handOff(hub: TestHub, agent: AgentId, terms: Terms) {
  return hub.execute("handOff", {
    by: agent,
    agent,
    task: "the login",
    summary: "The tests are left.",
    owes: [],
    ...terms,
  });
}

test("a task goes to an agent of another hub, with what was claimed, and both hubs know who is on it", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  await bmo.hub.work(ann, "claim", "login form");

  const handed = await handOff(bmo.hub, ann, { to: "bob@r2d2" });
  expect(handed).toMatchObject({
    target: "bob@r2d2",
    passed: { work: ["login form"], requests: [], kept: [] },
  });
  expect(bmo.hub.views.work.get("login form")).toBeUndefined();
  expect(bmo.hub.views.peerWork.of("login form")).toMatchObject([{ ownerName: "bob@r2d2" }]);
  await carryAll(bmo, r2d2);

  const { messages } = await r2d2.hub.read(bob);
  expect(messages).toMatchObject([{ message: { type: "handoff", fromName: "ann@bmo", trust: "peer" } }]);
  expect(messages[0]?.message.content).toContain("The tests are left.");
  expect(r2d2.hub.views.work.get("login form")).toMatchObject({ owner: bob });

  await r2d2.hub.work(bob, "release", "login form");
  await carryAll(bmo, r2d2);
  expect(bmo.hub.views.peerWork.of("login form")).toEqual([]);
});

test("what somebody there is on stays theirs", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  await r2d2.hub.register("bob");
  const eve = await r2d2.hub.register("eve");
  await bmo.hub.work(ann, "claim", "login form");
  await r2d2.hub.work(eve, "claim", "login form");
  await handOff(bmo.hub, ann, { to: "bob@r2d2" });
  await carryAll(bmo, r2d2);
  expect(r2d2.hub.views.work.get("login form")).toMatchObject({ owner: eve });
});

test("mail to the old address goes to the new one, here and on another hub, once it is asked for", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const [ann, cid] = [await bmo.hub.register("ann"), await bmo.hub.register("cid")];
  const bob = await r2d2.hub.register("bob");
  await handOff(bmo.hub, ann, { to: "bob@r2d2", forward: true });
  const sent = await bmo.hub.sendTo(cid, "ann", "how far is it?", { id: "q1" });
  expect(sent.target).toBe("bob@r2d2");
  expect(await bmo.hub.sendTo(cid, "ann", "how far is it?", { id: "q1" })).toMatchObject({ seq: sent.seq });
  await carryAll(bmo, r2d2);

  expect((await r2d2.hub.inbox(bob)).at(-1)).toBe("how far is it?");
  expect(await bmo.hub.inbox(ann)).toEqual([]);
});

test("it is followed from one to the next, and not in a ring; the person and the new one still reach the old", async () => {
  const hub = openTestHub();
  const [ann, bob, cid, dan] = await Promise.all(
    ["ann", "bob", "cid", "dan"].map((name) => hub.register(name)),
  );
  if (ann === undefined || bob === undefined || cid === undefined || dan === undefined)
    throw new Error("four");
  await handOff(hub, ann, { to: "bob", forward: true });
  await handOff(hub, bob, { to: "cid", forward: true });
  expect(await hub.sendTo(dan, "ann", "x")).toMatchObject({ target: "cid" });
  await handOff(hub, cid, { to: "ann", forward: true });
  expect(await hub.sendTo(dan, "ann", "y")).toMatchObject({ target: "cid" });
  expect(await hub.sendTo(HUMAN_ID, "ann", "z")).toMatchObject({ target: "ann" });
  expect(await hub.sendTo(bob, "ann", "what did you mean?")).toMatchObject({ target: "ann" });
});

test("it holds after the old one left, and until it is taken back", async () => {
  const hub = openTestHub();
  const [ann, cid] = [await hub.register("ann"), await hub.register("cid")];
  await hub.register("bob");
  await handOff(hub, ann, { to: "bob", forward: true });
  await hub.execute("updateAgent", { agent: ann, forward: false });
  expect(await hub.sendTo(cid, "ann", "x")).toMatchObject({ target: "ann" });

  await handOff(hub, ann, { to: "bob", forward: true });
  await hub.deregister(ann);
  expect(await hub.sendTo(cid, "ann", "y")).toMatchObject({ target: "bob" });
  hub.clock.advance(25 * 3_600_000);
  expect((await refusal(hub.sendTo(cid, "ann", "z"))).code).toBe("AGENT_GONE");
});

test("without being asked for, mail stays where it is addressed", async () => {
  const hub = openTestHub();
  const [ann, cid] = [await hub.register("ann"), await hub.register("cid")];
  await hub.register("bob");
  await handOff(hub, ann, { to: "bob" });
  expect(await hub.sendTo(cid, "ann", "x")).toMatchObject({ target: "ann" });
});

test("an agent whose context is nearly full is offered to hand over, once in a session", async () => {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  async function turn(id: string, used: number) {
    await hub.send(bob, ann, id);
    await hub.execute("offerTurn", {
      agent: ann,
      turn: id,
      route: "runtime",
      continues: false,
      noted: false,
    });
    await hub.execute("recordTaken", { agent: ann, turn: id, evidence: "acp_prompt", pointer: false });
    const context = { used, size: 200_000 };
    await hub.execute("recordTurnEnded", { agent: ann, turn: id, stop: "end_turn", text: "", context });
  }
  const offers = async () => (await hub.inbox(ann)).filter((text) => text.includes("hand_off"));
  await turn("t1", 100_000);
  expect(await offers()).toEqual([]);
  await turn("t2", 180_000);
  expect(await offers()).toEqual([expect.stringContaining("90% full (180000 of 200000 tokens)")]);
  await turn("t3", 190_000);
  const all = hub.events
    .pageAfter(0, 10_000)
    .filter((event) => event.type === "MessageAccepted" && event.data.message.content.includes("hand_off"));
  expect(all).toHaveLength(1);
});

test("a request of this hub goes over to an agent of a hub that it is shared with; one that is not shared stays, and is named", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const [ann, eve] = [await bmo.hub.register("ann"), await bmo.hub.register("eve")];
  const bob = await r2d2.hub.register("bob");
  await r2d2.hub.sendTo(bob, "ann@bmo", "hello");
  const shared = await bmo.hub.ask(eve, "which port?", { hubs: ["r2d2"] });
  const own = await bmo.hub.ask(eve, "which host?");
  await bmo.hub.claim(ann, shared);
  await bmo.hub.claim(ann, own);
  await carryAll(bmo, r2d2);

  const { passed } = await handOff(bmo.hub, ann, { to: "bob@r2d2" });
  expect(passed).toEqual({ work: [], requests: [shared], kept: [own] });
  expect(bmo.hub.views.requests.byId(own)?.state).toMatchObject({ kind: "claimed", by: ann });
  await carryAll(bmo, r2d2);

  expect(r2d2.hub.views.requests.byId(`${shared}@bmo`)?.state).toMatchObject({ kind: "claimed", by: bob });
  await r2d2.hub.answer(bob, `${shared}@bmo`, "9224");
  await carryAll(bmo, r2d2);
  expect(bmo.hub.views.requests.byId(shared)?.state).toMatchObject({ kind: "answered", byName: "bob@r2d2" });
});

/** What `ann` of bmo has claimed of r2d2: the hub that decides who has it. */
async function claimedOfR2d2() {
  const { bmo, r2d2 } = await openLinkedHubs();
  const [ann, cid] = [await bmo.hub.register("ann"), await bmo.hub.register("cid")];
  const [bob, eve] = [await r2d2.hub.register("bob"), await r2d2.hub.register("eve")];
  const id = await r2d2.hub.ask(eve, "which port?", { hubs: ["bmo"] });
  await carryAll(bmo, r2d2);
  const party = (agent: AgentId, name: string) => ({ id: agent, name, team: "main" });
  const by = party(ann, "ann");
  const claim = { peer: "bmo", request: id, by };
  const answer = await r2d2.hub.execute("claimForPeer", claim);
  await bmo.hub.execute("recordPeerClaim", { agent: ann, request: `${id}@r2d2`, answer });
  return { bmo, r2d2, ann, cid, bob, eve, id, claim, party };
}

test("a request of another hub is another's once that hub agreed, here or there; said twice, it is the same", async () => {
  const { bmo, r2d2, ann, cid, bob, id, claim, party } = await claimedOfR2d2();

  const toCid = { ...claim, heir: party(cid, "cid") };
  for (let n = 0; n < 2; n++)
    expect(await r2d2.hub.execute("claimForPeer", toCid)).toMatchObject({ passed: true });
  expect(r2d2.hub.views.requests.byId(id)?.state).toMatchObject({ kind: "claimed", byName: "cid@bmo" });
  const handed = await bmo.hub.execute("handOff", {
    by: ann,
    agent: ann,
    to: "cid",
    task: "ports",
    summary: "Ask bob.",
    owes: [],
    passedThere: [`${id}@r2d2`],
  });
  expect(handed.passed).toEqual({ work: [], requests: [`${id}@r2d2`], kept: [] });
  await carryAll(bmo, r2d2);
  expect(bmo.hub.views.requests.byId(`${id}@r2d2`)?.state).toMatchObject({ kind: "claimed", by: cid });

  const toBob = { ...claim, by: party(cid, "cid"), heir: { ...party(bob, "bob"), yours: true as const } };
  expect(await r2d2.hub.execute("claimForPeer", toBob)).toMatchObject({ passed: true });
  expect(r2d2.hub.views.requests.byId(id)?.state).toMatchObject({ kind: "claimed", by: bob });
});

test("nobody gives away what is not theirs, nor to whoever asked; what its hub did not give stays, and is named", async () => {
  const { bmo, r2d2, ann, cid, eve, id, claim, party } = await claimedOfR2d2();
  const refused = [
    { ...claim, by: party(cid, "cid"), heir: party("dee", "dee") },
    { ...claim, heir: { ...party(eve, "eve"), yours: true as const } },
    { ...claim, heir: { ...party("nobody", "nobody"), yours: true as const } },
  ];
  for (const attempt of refused) {
    const { passed } = await r2d2.hub.execute("claimForPeer", attempt);
    expect(passed).toBeUndefined();
    expect(r2d2.hub.views.requests.byId(id)?.state).toMatchObject({ kind: "claimed", byName: "ann@bmo" });
  }

  const { passed } = await handOff(bmo.hub, ann, { to: "cid" });
  expect(passed).toEqual({ work: [], requests: [], kept: [`${id}@r2d2`] });
  expect(bmo.hub.views.requests.byId(`${id}@r2d2`)?.state).toMatchObject({ kind: "claimed", by: ann });
});
