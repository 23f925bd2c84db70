import { describe, expect, test } from "vitest";
import { carryAll, openLinkedHubs, peerNamed, plainMail } from "../../test/fakes/linked-hubs.js";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { refusalOf } from "../../test/refusal-of.js";
import { HUMAN_ID } from "../model/agent.js";
import { findAgent } from "./rules/find-agent.js";
import { findKnown } from "./rules/find-recipient.js";

async function openHub() {
  const hub = openTestHub();
  await hub.execute("addPeer", { peer: peerNamed("r2d2", { label: "R2" }) });
  return { hub, ann: await hub.register("ann") };
}

const typesSince = (hub: TestHub, seq: number) => hub.events.pageAfter(seq, 1000).map(({ type }) => type);

describe("peers", () => {
  test("one that is added again with the same words changes nothing; with others it is changed", async () => {
    const { hub } = await openHub();
    const before = hub.events.lastSeq();
    await hub.execute("addPeer", { peer: peerNamed("r2d2", { label: "R2" }) });
    await hub.execute("addPeer", { peer: peerNamed("r2d2", { label: "R2", hubId: "id-1" }) });
    expect(typesSince(hub, before)).toEqual(["PeerChanged"]);
    expect(hub.views.peers.byName("r2d2")?.hubId).toBe("id-1");
  });

  test("two hubs of one name, and two names of one hub, are refused", async () => {
    const { hub } = await openHub();
    await hub.execute("addPeer", { peer: peerNamed("r2d2", { hubId: "id-1" }) });
    const other = hub.execute("addPeer", { peer: peerNamed("r2d2", { hubId: "id-2" }) });
    await expect(other).rejects.toMatchObject({ code: "PEER_EXISTS", details: { name: "r2d2" } });
    const twin = hub.execute("addPeer", { peer: peerNamed("c3po", { hubId: "id-1" }) });
    await expect(twin).rejects.toMatchObject({ code: "PEER_EXISTS", details: { name: "r2d2" } });
  });

  test.each([["R2 D2"], ["user"], ["a@b"]])("%s is no name of a peer", async (name) => {
    const { hub } = await openHub();
    const refused = await refusal(hub.execute("addPeer", { peer: peerNamed(name) }));
    expect(refused.code).toMatch(/^NAME_/);
  });

  test("one that is removed gives back what waited for it, and is not found any more", async () => {
    const { hub, ann } = await openHub();
    const { messageId } = await hub.sendTo(ann, "bob@r2d2", "in vain");
    await hub.execute("numberFrames", { peer: "r2d2" });
    await hub.execute("removePeer", { name: "r2d2" });

    expect(hub.receipt(messageId)).toMatchObject({
      state: "failed",
      steps: [{}, { reason: "peer_removed" }],
    });
    expect((await hub.inbox(ann))[0]).toMatch(/to bob@r2d2 was not read: the hub "r2d2" is not linked/);
    await expect(hub.sendTo(ann, "bob@r2d2")).rejects.toMatchObject({ code: "HUB_NOT_FOUND" });
    await expect(hub.execute("numberFrames", { peer: "r2d2" })).rejects.toMatchObject({
      code: "PEER_NOT_FOUND",
    });
  });

  test("added again, it goes on with the same hub where it was", async () => {
    const { bmo, r2d2 } = await openLinkedHubs();
    const [ann, bob] = [await bmo.hub.register("ann"), await r2d2.hub.register("bob")];
    await bmo.hub.sendTo(ann, "bob@r2d2", "one");
    await carryAll(bmo, r2d2);
    await r2d2.hub.execute("removePeer", { name: "bmo" });
    await r2d2.hub.execute("addPeer", { peer: peerNamed("bmo") });
    await bmo.hub.sendTo(ann, "bob@r2d2", "two");
    await carryAll(bmo, r2d2);

    expect(await r2d2.hub.inbox(bob)).toEqual(["one", "two"]);
    expect(await r2d2.hub.inbox(HUMAN_ID)).toEqual([]);
  });

  test("its agents are remembered over a restart and a rebuild of the views", async () => {
    const { hub, ann } = await openHub();
    await hub.sendTo(ann, "bob@r2d2");
    const known = hub.views.peers.agentsOf("r2d2");
    const again = await hub.restart();
    expect(again.views.peers.agentsOf("r2d2")).toEqual(known);
    // Both were met at one moment: their order is that of their ids, which says nothing.
    expect(new Map(known.map(({ name, isFront }) => [name, isFront]))).toEqual(
      new Map([
        ["r2d2", true],
        ["bob", false],
      ]),
    );
  });
});

describe("addresses", () => {
  test("a name of this hub is this hub's, and the peer of that name is written to with its own", async () => {
    const { hub, ann } = await openHub();
    const local = await hub.register("r2d2");
    expect((await hub.sendTo(ann, "r2d2")).to).toBe(local);
    const there = await hub.sendTo(ann, "r2d2@r2d2");
    expect(hub.views.peers.agent(there.to)?.isFront).toBe(true);
    expect(there.target).toBe("r2d2@r2d2");
  });

  test("an agent there is the same one by whatever it is written to", async () => {
    const { bmo, r2d2 } = await openLinkedHubs();
    const [ann, bob] = [await bmo.hub.register("ann"), await r2d2.hub.register("bob", { team: "red" })];
    const { to } = await bmo.hub.sendTo(ann, "bob@r2d2", "by its name");
    await r2d2.hub.sendTo(bob, "ann@bmo", "from it");
    await carryAll(bmo, r2d2);

    expect((await bmo.hub.sendTo(ann, "bob@r2d2", "again")).to).toBe(to);
    expect((await bmo.hub.sendTo(ann, "red/bob@r2d2", "with its team")).to).toBe(to);
    expect((await bmo.hub.sendTo(ann, to, "by its id")).to).toBe(to);
    expect(bmo.hub.views.peers.agent(to)).toMatchObject({ remote: bob, team: "red" });
  });

  test("one that is renamed there keeps its id here, and its mail goes on", async () => {
    const { bmo, r2d2 } = await openLinkedHubs();
    const [ann, bob] = [await bmo.hub.register("ann"), await r2d2.hub.register("bob")];
    await r2d2.hub.sendTo(bob, "ann@bmo", "one");
    await carryAll(bmo, r2d2);
    await r2d2.hub.rename(bob, "robert");
    await r2d2.hub.sendTo(bob, "ann@bmo", "two");
    await carryAll(bmo, r2d2);

    const { messages } = await bmo.hub.read(ann);
    expect(messages.map(({ message }) => message.fromName)).toEqual(["bob@r2d2", "robert@r2d2"]);
    expect(new Set(messages.map(({ message }) => message.from)).size).toBe(1);
    const [first] = messages;
    await bmo.hub.sendTo(ann, "robert@r2d2", "yes", { replyTo: first?.message.id });
    await carryAll(bmo, r2d2);
    expect(await r2d2.hub.inbox(bob)).toEqual(["yes"]);
  });

  test("two of one name there are told apart by their teams", async () => {
    const { bmo, r2d2 } = await openLinkedHubs();
    const ann = await bmo.hub.register("ann");
    for (const team of ["red", "blue"]) {
      const bob = await r2d2.hub.register("bob", { team });
      await r2d2.hub.sendTo(bob, "ann@bmo", team);
    }
    await carryAll(bmo, r2d2);

    const { messages } = await bmo.hub.read(ann);
    expect(messages.map(({ message }) => bmo.hub.nameOf(message.from))).toEqual([
      "red/bob@r2d2",
      "blue/bob@r2d2",
    ]);
    await expect(bmo.hub.sendTo(ann, "bob@r2d2")).rejects.toMatchObject({
      code: "NAME_AMBIGUOUS",
      details: { available: ["blue/bob@r2d2", "red/bob@r2d2"] },
    });
  });

  test("a plain daemon has no agents by name: the refusal says what to write", async () => {
    const { hub, ann } = await openHub();
    await hub.execute("addPeer", { peer: peerNamed("chip", { kind: "plain" }) });
    await expect(hub.sendTo(ann, "bob@chip")).rejects.toMatchObject({
      code: "AGENT_NOT_FOUND",
      details: { did_you_mean: "chip" },
    });
  });

  test("a repeated send to another hub is the same message", async () => {
    const { hub, ann } = await openHub();
    const first = await hub.sendTo(ann, "bob@r2d2", "once", { id: "m-1" });
    const again = await hub.sendTo(ann, "bob@r2d2", "once", { id: "m-1" });
    expect(again).toEqual(first);
    await expect(hub.sendTo(ann, "eve@r2d2", "once", { id: "m-1" })).rejects.toMatchObject({
      code: "ID_REUSED",
    });
  });
});

describe("an agent of another hub", () => {
  async function meet() {
    const { hub, ann } = await openHub();
    const { to: bob } = await hub.sendTo(ann, "bob@r2d2", "hello");
    const { to: front } = await hub.sendTo(ann, "r2d2", "hello");
    return { hub, ann, bob, front };
  }
  const elsewhere = { code: "AGENT_ELSEWHERE", details: { hub: "r2d2" } };

  test.each(["bob@r2d2", "nobody-yet@r2d2", "r2d2", "red/bob@r2d2"])(
    "%s is found for nothing but mail",
    async (name) => {
      const { hub } = await meet();
      const refused = refusalOf(() => findAgent(hub.views, name, HUMAN_ID));
      expect(refused).toMatchObject(elsewhere);
      expect(refused.message).toContain("can be written to");
    },
  );

  test("is found by its id for nothing but mail, and by who reads what it wrote", async () => {
    const { hub, bob, front } = await meet();
    for (const id of [bob, front])
      expect(() => findAgent(hub.views, id, HUMAN_ID)).toThrow("lives on the hub");
    expect(findKnown(hub.views, "bob@r2d2", HUMAN_ID).id).toBe(bob);
    expect(findKnown(hub.views, "r2d2", HUMAN_ID).id).toBe(front);
    expect(refusalOf(() => findKnown(hub.views, "bob@mini", HUMAN_ID)).code).toBe("HUB_NOT_FOUND");
  });

  test("is neither ended, paused, given work, renamed, started nor let speak by a command", async () => {
    const { hub, bob } = await meet();
    const by = HUMAN_ID;
    const calls = {
      kill: hub.execute("killAgent", { agent: bob, by }),
      shutdown: hub.execute("shutdownAgent", { agent: bob, by }),
      pause: hub.execute("pauseAgents", { agent: bob, by }),
      rename: hub.rename(bob, "robert"),
      leave: hub.deregister(bob),
      task: hub.execute("assignTask", { by, agent: "bob@r2d2", prompt: "do it" }),
      turn: hub.execute("offerTurn", {
        agent: bob,
        turn: "t",
        route: "runtime",
        continues: false,
        noted: false,
      }),
      workflow: hub.execute("createWorkflow", {
        by,
        id: "w",
        name: "w",
        steps: [{ name: "s", dependsOn: [], on: "success", prompt: "x", agent: bob, agentName: "bob" }],
      }),
    };
    for (const [what, call] of Object.entries(calls))
      await expect(call, what).rejects.toMatchObject(elsewhere);
    const speaking = {
      send: hub.sendTo(bob, "ann"),
      work: hub.work(bob, "claim", "it"),
      ask: hub.ask(bob),
      broadcast: hub.execute("broadcast", { from: bob, content: "x" }),
    };
    for (const [what, call] of Object.entries(speaking))
      await expect(call, what).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    const token = { id: bob, credential: "hash" };
    await expect(hub.execute("registerAgent", token)).rejects.toMatchObject({ code: "ID_REUSED" });
    await hub.execute("issueCredential", { agent: bob, hash: "hash" });
    expect(hub.views.roster.byCredential("hash")).toBeUndefined();
  });

  test("is in no list, no count and no broadcast", async () => {
    const { hub, ann } = await meet();
    const ben = await hub.register("ben");
    const { deliveredTo } = await hub.execute("broadcast", { from: ann, content: "all" });
    expect(deliveredTo).toEqual(["ben"]);
    expect(hub.views.roster.count()).toBe(2);
    expect(
      hub.views.roster
        .present()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([ann, ben].sort());
    expect(hub.views.roster.list({ limit: 10 }).map(({ name }) => name)).toEqual(["ann", "ben"]);
  });

  test("is as its hub says it is", async () => {
    const { hub, ann, bob, front } = await meet();
    await hub.execute("recordPeerStatus", { peer: "r2d2", agent: "bob", status: "offline" });
    await hub.execute("recordPeerStatus", { peer: "r2d2", status: "busy" });
    await hub.execute("recordPeerStatus", { peer: "r2d2", agent: "stranger", status: "busy" });
    expect(hub.views.roster.byId(bob)?.status).toBe("offline");
    expect(hub.views.roster.byId(front)?.status).toBe("busy");
    expect(await hub.sendTo(ann, "bob@r2d2", "later")).toMatchObject({
      state: "held",
      reason: '"bob@r2d2" is offline: r2d2 says so',
    });
  });

  test("says of itself what it is by a status", async () => {
    const { hub } = await meet();
    await hub.execute("addPeer", { peer: peerNamed("chip", { kind: "plain" }) });
    const typed = { kind: "status", status: "busy" } as const;
    await hub.execute("receiveFromPeer", {
      peer: "chip",
      mail: plainMail("m-1", "", { type: "status", typed }),
    });
    expect(hub.views.peers.front("chip")?.status).toBe("busy");
    expect(hub.views.messages.byId("m-1")[0]?.data.message).toMatchObject({ attention: "fyi", typed });
  });

  test("waits where the person paused the pair, and is let go with it", async () => {
    const { hub, ann } = await openHub();
    await hub.execute("addPeer", { peer: peerNamed("chip", { kind: "plain" }) });
    const front = hub.views.peers.front("chip")?.id ?? "";
    const pair = { by: HUMAN_ID, from: front, to: ann } as const;
    await hub.execute("decidePair", { ...pair, action: "pause" });
    await hub.execute("receiveFromPeer", { peer: "chip", mail: plainMail("m-1", "hello") });
    expect(await hub.inbox(ann)).toEqual([]);
    await hub.execute("decidePair", { ...pair, action: "resume" });
    expect(await hub.inbox(ann)).toEqual(["hello"]);
  });

  test("a plain one that answers at once is in the conversation that it answers, and its budget", async () => {
    const { hub, ann } = await openHub();
    await hub.execute("addPeer", { peer: peerNamed("chip", { kind: "plain" }) });
    const { messageId } = await hub.sendTo(ann, "chip", "ping");
    await hub.execute("offerPlain", { peer: "chip" });
    await hub.execute("receiveFromPeer", { peer: "chip", mail: plainMail("m-1", "pong") });
    expect(hub.views.messages.byId("m-1")[0]?.data.message).toMatchObject({
      conversation: messageId,
      hop: 1,
    });
  });
});
