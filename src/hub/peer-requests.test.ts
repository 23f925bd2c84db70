import { expect, test } from "vitest";
import {
  carryAll,
  carryOnce,
  type LinkedHub,
  openLinkedHubs,
  receive,
} from "../../test/fakes/linked-hubs.js";
import { refusal } from "../../test/fakes/refusal.js";
import type { TestHub } from "../../test/fakes/test-hub.js";
import type { AgentId } from "../model/agent.js";
import { idThere, type RequestId } from "../model/request.js";

/* Requests that agents of other hubs may claim. The tests carry the batches and the calls between two hubs. */

async function openPair() {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  return { bmo, r2d2, ann, bob };
}

const stateOf = (hub: TestHub, id: RequestId) => hub.views.requests.byId(id)?.state;
const statusOf = (hub: TestHub, id: RequestId) => stateOf(hub, id)?.kind;

/** As the surface does it: the hub of the request is asked, and what it said is noted. */
async function claimFrom(there: LinkedHub, here: LinkedHub, agent: AgentId, id: RequestId) {
  const party = { id: agent, name: here.hub.nameOf(agent), team: "main" };
  const answer = await there.hub.execute("claimForPeer", {
    peer: there.other,
    request: idThere({ id, hub: here.other }),
    by: party,
  });
  return here.hub.execute("recordPeerClaim", { agent, request: id, answer });
}

test("a request that is shared is open on the other hub too, marked as a peer's, and one that is not stays here", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  await bmo.hub.ask(ann, "only here");
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"], context: "the old one is 9223" });
  await carryAll(bmo, r2d2);

  const there = `${id}@bmo`;
  expect(r2d2.hub.views.requests.list({ limit: 10 })).toMatchObject([
    { id: there, fromName: "ann@bmo", description: "which port?", hub: "bmo", state: { kind: "open" } },
  ]);
  const { messages } = await r2d2.hub.read(bob);
  expect(messages).toMatchObject([
    { message: { id: there, type: "request", requestId: there, fromName: "ann@bmo", trust: "peer" } },
  ]);
});

test("its hub decides the claim, both hubs know who has it, and the answer ends it there", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["all"] });
  await carryAll(bmo, r2d2);

  const claim = await claimFrom(bmo, r2d2, bob, `${id}@bmo`);
  expect(claim).toMatchObject({ claimed: true, request: { state: { kind: "claimed", by: bob } } });
  expect(stateOf(bmo.hub, id)).toMatchObject({ kind: "claimed", byName: "bob@r2d2" });
  expect(await bmo.hub.inbox(ann)).toEqual(["claimed by bob@r2d2"]);

  await r2d2.hub.answer(bob, `${id}@bmo`, "9224");
  await carryAll(bmo, r2d2);

  expect(statusOf(bmo.hub, id)).toBe("answered");
  expect(statusOf(r2d2.hub, `${id}@bmo`)).toBe("answered");
  const { messages } = await bmo.hub.read(ann);
  expect(messages.slice(-1)).toMatchObject([
    { message: { type: "response", requestId: id, replyTo: id, content: "9224", fromName: "bob@r2d2" } },
  ]);
});

test("a reply to whoever asked is the answer too, also without a claim", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  await carryAll(bmo, r2d2);

  await r2d2.hub.sendTo(bob, "ann@bmo", "9224", { replyTo: `${id}@bmo` });
  await carryAll(bmo, r2d2);

  expect(stateOf(bmo.hub, id)).toMatchObject({ kind: "answered", byName: "bob@r2d2" });
});

test("one of two hubs wins, a claim that comes twice is the same claim, and the answer of the other bounces", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const cid = await bmo.hub.register("cid");
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  await carryAll(bmo, r2d2);
  const party = { id: bob, name: "bob", team: "main" };
  const claims = await Promise.all([
    bmo.hub.claim(cid, id),
    bmo.hub.execute("claimForPeer", { peer: "r2d2", request: id, by: party }),
    bmo.hub.execute("claimForPeer", { peer: "r2d2", request: id, by: party }),
  ]);
  expect(claims.map(({ claimed }) => claimed)).toEqual([true, false, false]);
  expect(claims[1]).toEqual({ claimed: false, status: "claimed", by: "cid" });

  // It has not heard of the claim, and answers at once.
  await r2d2.hub.answer(bob, `${id}@bmo`, "too late");
  await carryAll(bmo, r2d2);
  expect(stateOf(bmo.hub, id)).toMatchObject({ kind: "claimed", by: cid });
  expect((await r2d2.hub.inbox(bob)).join()).toMatch(/'cid' has claimed this request/);

  const second = await bmo.hub.ask(ann, "and the host?", { hubs: ["r2d2"] });
  await carryAll(bmo, r2d2);
  expect(await claimFrom(bmo, r2d2, bob, `${second}@bmo`)).toMatchObject({ claimed: true });
  expect(await claimFrom(bmo, r2d2, bob, `${second}@bmo`)).toMatchObject({ claimed: true });
});

test("what somebody here claimed is taken on the other hub too, under its name there", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const cid = await bmo.hub.register("cid");
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  await carryAll(bmo, r2d2);

  await bmo.hub.claim(cid, id);
  await carryAll(bmo, r2d2);
  expect(stateOf(r2d2.hub, `${id}@bmo`)).toEqual({ kind: "claimed", by: "", byName: "cid@bmo" });
  expect(await r2d2.hub.claim(bob, `${id}@bmo`)).toMatchObject({ claimed: false });

  await bmo.hub.deregister(cid);
  await carryAll(bmo, r2d2);
  expect(statusOf(r2d2.hub, `${id}@bmo`)).toBe("open");
  await r2d2.hub.inbox(bob);
  await carryAll(bmo, r2d2);
  expect(statusOf(bmo.hub, id)).toBe("open");
});

test("a claimer that leaves its hub gives the request back to the hub that asked", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  await carryAll(bmo, r2d2);
  await claimFrom(bmo, r2d2, bob, `${id}@bmo`);

  await r2d2.hub.deregister(bob);
  await carryAll(bmo, r2d2);

  expect(statusOf(bmo.hub, id)).toBe("open");
  expect((await bmo.hub.inbox(ann)).join()).toMatch(/bob@r2d2, who had claimed your request, left/);
  const eve = await r2d2.hub.register("eve");
  expect(await claimFrom(bmo, r2d2, eve, `${id}@bmo`)).toMatchObject({ claimed: true });
});

test("one that is over before the other hub came back is never shown there", async () => {
  const { bmo, r2d2, ann } = await openPair();
  const cid = await bmo.hub.register("cid");
  const claimed = await bmo.hub.ask(ann, "first", { hubs: ["r2d2"] });
  await bmo.hub.execute("numberFrames", { peer: "r2d2" });
  await bmo.hub.claim(cid, claimed);
  const expired = await bmo.hub.ask(ann, "second", { hubs: ["r2d2"], timeoutMs: 1000 });
  bmo.hub.clock.advance(2000);
  await bmo.hub.ring();
  expect(statusOf(bmo.hub, expired)).toBe("expired");

  await carryAll(bmo, r2d2);
  expect(r2d2.hub.views.requests.list({ limit: 10 })).toEqual([]);
});

test("a reminder there is a reminder here, and an expired one ends on both", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"], timeoutMs: 10_000 });
  await carryAll(bmo, r2d2);
  await r2d2.hub.read(bob);
  await r2d2.hub.ack(bob, `${id}@bmo`);
  await bmo.hub.execute("nudgeRequest", { agent: ann, request: id });
  await carryAll(bmo, r2d2);
  expect(await r2d2.hub.read(bob)).toMatchObject({
    messages: [{ message: { type: "nudge", requestId: `${id}@bmo`, trust: "peer" } }],
  });

  bmo.hub.clock.advance(20_000);
  await bmo.hub.ring();
  await carryAll(bmo, r2d2);
  expect(statusOf(r2d2.hub, `${id}@bmo`)).toBe("expired");
});

test("a batch that comes twice opens a request once", async () => {
  const { bmo, r2d2, ann } = await openPair();
  await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  const batch = await bmo.hub.execute("numberFrames", { peer: "r2d2" });
  if (batch === undefined) throw new Error("nothing waits");
  await receive(r2d2, batch);
  await receive(r2d2, batch);
  await carryOnce(bmo, r2d2);
  expect(r2d2.hub.views.requests.list({ limit: 10 })).toHaveLength(1);
});

test("of a request that is not shared with it a peer learns nothing, and cannot claim it", async () => {
  const { bmo, ann } = await openPair();
  const id = await bmo.hub.ask(ann, "only here");
  const by = { id: "x", name: "bob", team: "main" };
  const refused = await refusal(bmo.hub.execute("claimForPeer", { peer: "r2d2", request: id, by }));
  expect(refused.code).toBe("REQUEST_NOT_FOUND");
  expect((await refusal(bmo.hub.ask(ann, "x", { hubs: ["nowhere"] }))).code).toBe("PEER_NOT_FOUND");
});

test("a peer that is removed takes its requests with it, and gives back what its agents had claimed", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const asked = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  const asking = await r2d2.hub.ask(bob, "and yours?", { hubs: ["bmo"] });
  await carryAll(bmo, r2d2);
  await claimFrom(bmo, r2d2, bob, `${asked}@bmo`);

  await bmo.hub.execute("removePeer", { name: "r2d2" });

  expect(statusOf(bmo.hub, asked)).toBe("open");
  expect(statusOf(bmo.hub, `${asking}@r2d2`)).toBe("expired");
});

test("all of it is the same after the views are rebuilt", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  const id = await bmo.hub.ask(ann, "which port?", { hubs: ["r2d2"] });
  await carryAll(bmo, r2d2);
  await claimFrom(bmo, r2d2, bob, `${id}@bmo`);
  const before = r2d2.hub.views.requests.list({ limit: 10 });
  const again = await r2d2.hub.restart();
  expect(again.views.requests.list({ limit: 10 })).toEqual(before);
});
