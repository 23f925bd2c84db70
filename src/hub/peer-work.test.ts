import { expect, test } from "vitest";
import { carryAll, openLinkedHubs, plainMail } from "../../test/fakes/linked-hubs.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { AgentId } from "../model/agent.js";
import { goesFirst } from "../model/work.js";

/* Work that agents of two hubs claim: both claims stand, and both are told who was first. */

async function openPair() {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  return { bmo, r2d2, ann, bob };
}

const TASK = "the login";

function coordinate(hub: TestHub, from: AgentId, to: string, action: "claim" | "release") {
  return hub.execute("sendMessage", {
    from,
    to,
    type: "coordination",
    typed: { kind: "coordination", action, task: TASK },
  });
}

const claimsAt = (hub: TestHub) => hub.views.peerWork.of(TASK).map(({ ownerName }) => ownerName);

test("a claim that another hub is told of is known there, and so is its end", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  expect(await coordinate(bmo.hub, ann, "bob@r2d2", "claim")).toMatchObject({ claimed: true, owner: "ann" });
  await carryAll(bmo, r2d2);
  expect(claimsAt(r2d2.hub)).toEqual(["ann@bmo"]);
  expect(await r2d2.hub.inbox(bob)).toEqual([`[Coordination: claimed "${TASK}"]`]);

  await coordinate(bmo.hub, ann, "bob@r2d2", "release");
  await carryAll(bmo, r2d2);
  expect(claimsAt(r2d2.hub)).toEqual([]);
});

test("whoever was told of a claim hears of its end, however it ends here", async () => {
  const { bmo, r2d2, ann } = await openPair();
  await coordinate(bmo.hub, ann, "bob@r2d2", "claim");
  await bmo.hub.work(ann, "release", TASK);
  await carryAll(bmo, r2d2);
  expect(claimsAt(r2d2.hub)).toEqual([]);

  await coordinate(bmo.hub, ann, "bob@r2d2", "claim");
  await carryAll(bmo, r2d2);
  expect(claimsAt(r2d2.hub)).toEqual(["ann@bmo"]);
  await bmo.hub.deregister(ann);
  await carryAll(bmo, r2d2);
  expect(claimsAt(r2d2.hub)).toEqual([]);
});

test("a claim of another hub keeps nobody from the task, and both are told who was first", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  await coordinate(bmo.hub, ann, "bob@r2d2", "claim");
  await carryAll(bmo, r2d2);
  await r2d2.hub.inbox(bob);
  r2d2.hub.clock.advance(1000);

  const claimed = await r2d2.hub.work(bob, "claim", TASK);
  expect(claimed).toMatchObject({ ok: true, owner: "bob", peers: [{ owner: "ann@bmo", first: true }] });
  await carryAll(bmo, r2d2);

  expect(claimsAt(bmo.hub)).toEqual(["bob@r2d2"]);
  expect((await r2d2.hub.inbox(bob)).join()).toMatch(/ann@bmo claimed "the login" before you, .* goes first/);
  expect((await bmo.hub.inbox(ann)).join()).toMatch(/bob@r2d2 claimed "the login" too, .* You were first/);
});

test("two that claim the same without knowing of each other are told once each, and it comes to rest", async () => {
  const { bmo, r2d2, ann, bob } = await openPair();
  await r2d2.hub.work(bob, "claim", TASK);
  bmo.hub.clock.advance(5000);
  await coordinate(bmo.hub, ann, "r2d2", "claim");
  await carryAll(bmo, r2d2);

  expect(claimsAt(r2d2.hub)).toEqual(["ann@bmo"]);
  expect(claimsAt(bmo.hub)).toEqual(["bob@r2d2"]);
  const told = (await bmo.hub.inbox(ann)).filter((text) => text.includes("goes first"));
  expect(told).toHaveLength(1);
  expect((await r2d2.hub.inbox(bob)).filter((text) => text.includes("You were first"))).toHaveLength(1);

  await r2d2.hub.work(bob, "release", TASK);
  await carryAll(bmo, r2d2);
  expect(claimsAt(bmo.hub)).toEqual([]);
});

test("a claim that is not renewed ends there by itself", async () => {
  const { bmo, r2d2, ann } = await openPair();
  await coordinate(bmo.hub, ann, "bob@r2d2", "claim");
  await carryAll(bmo, r2d2);
  r2d2.hub.clock.advance(31 * 60_000);
  await r2d2.hub.ring();
  expect(claimsAt(r2d2.hub)).toEqual([]);
});

test("a claim and its end that come together leave nothing", async () => {
  const { bmo, r2d2, ann } = await openPair();
  await coordinate(bmo.hub, ann, "bob@r2d2", "claim");
  await coordinate(bmo.hub, ann, "bob@r2d2", "release");
  await carryAll(bmo, r2d2);
  expect(claimsAt(r2d2.hub)).toEqual([]);
});

test("a plain daemon's claim is known too, and it is told of ours", async () => {
  const hub = openTestHub();
  const peer = { kind: "plain", host: "h", port: 1, label: "R2", hubId: null, publicKey: null } as const;
  await hub.execute("addPeer", { peer: { ...peer, name: "r2d2", secret: null, origin: "config" } });
  const ann = await hub.register("ann");
  await hub.work(ann, "claim", TASK);
  const typed = { kind: "coordination", action: "claim", task: TASK } as const;
  const mail = plainMail("m1", "", { type: "coordination", typed, at: Date.parse("2030-01-01T00:00:00Z") });
  await hub.execute("receiveFromPeer", { peer: "r2d2", mail });

  expect(claimsAt(hub)).toEqual(["r2d2"]);
  expect((await hub.inbox(ann)).join()).toMatch(/r2d2 claimed "the login" too/);
  expect(await hub.execute("offerPlain", { peer: "r2d2" })).toMatchObject({
    type: "coordination",
    typed: { action: "claim", task: TASK },
  });

  const release = plainMail("m2", "", { type: "coordination", typed: { ...typed, action: "release" } });
  await hub.execute("receiveFromPeer", { peer: "r2d2", mail: release });
  expect(claimsAt(hub)).toEqual([]);
});

test("of the same moment the hub with the smaller id goes first, on both sides", () => {
  const one = { since: 5, hubId: "aaa" };
  const other = { since: 5, hubId: "bbb" };
  expect([goesFirst(one, other), goesFirst(other, one)]).toEqual([true, false]);
  expect(goesFirst({ since: 4, hubId: "zzz" }, one)).toBe(true);
});
