import { expect, test } from "vitest";
import { peerNamed, plainMail } from "../../test/fakes/linked-hubs.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { testHubLimits } from "../../test/fakes/test-journal.js";
import type { Batch } from "../model/link.js";
import { createLinkHub } from "./start-link.js";

const self = { id: "h".repeat(32), name: "bmo", version: "1" };

async function openHub() {
  const hub = openTestHub();
  const link = createLinkHub({ ...hub, self, limits: testHubLimits });
  const ann = await hub.register("ann", { label: "Ann" });
  return { hub, link, ann };
}

test("links are told of peers that come, change and go", async () => {
  const { hub, link } = await openHub();
  let changes = 0;
  const stop = link.onPeersChanged(() => changes++);

  await hub.execute("addPeer", { peer: peerNamed("r2d2") });
  await hub.execute("addPeer", { peer: peerNamed("r2d2") });
  await hub.execute("addPeer", { peer: peerNamed("r2d2", { port: 1 }) });
  expect(link.peers()).toEqual([peerNamed("r2d2", { port: 1 })]);
  await hub.execute("removePeer", { name: "r2d2" });
  stop();
  await hub.execute("addPeer", { peer: peerNamed("r2d2") });

  expect(changes).toBe(3);
});

test("they hear that something waits for a peer, and of nothing else", async () => {
  const { hub, link, ann } = await openHub();
  const ben = await hub.register("ben");
  await hub.execute("addPeer", { peer: peerNamed("r2d2") });
  const heard: string[] = [];
  link.onWork((peer) => heard.push(peer));

  await hub.send(ann, ben, "here");
  expect(heard).toEqual([]);
  await hub.sendTo(ann, "bob@r2d2", "there");
  // Once before the sender has its answer, and once with everybody.
  expect(heard).toEqual(["r2d2", "r2d2"]);
  const batch = await link.numberFrames("r2d2");
  expect(batch?.frames).toMatchObject([
    { n: 1, kind: "mail", mail: { content: "there", from: { id: ann } } },
  ]);
});

test("a peer may know who is here, and the person", async () => {
  const { link, ann } = await openHub();
  expect(link.directory()).toEqual([
    { id: ann, name: "ann", team: "main", label: "Ann", status: "idle" },
    { id: "human", name: "user", team: "main", label: null, status: "idle", isPerson: true },
  ]);
});

test("its status is that of whoever gets what names nobody", async () => {
  const { hub, link, ann } = await openHub();
  await hub.execute("recordPresence", { agent: ann, status: "busy", evidence: "a turn" });
  expect(link.status(undefined)).toEqual({ name: "bmo", status: "busy" });
  expect(link.status("ann")).toEqual({ name: "ann", status: "busy" });
  expect(link.status("user")).toEqual({ name: "user", status: "idle" });
});

test("mail of a plain daemon is taken once, and says whether its reader is busy", async () => {
  const { hub, link, ann } = await openHub();
  await hub.execute("addPeer", { peer: peerNamed("r2d2", { kind: "plain", label: "R2" }) });
  expect(await link.receiveFromPeer("r2d2", plainMail("m-1", "hello"))).toMatchObject({ isBusy: false });
  await hub.execute("recordPresence", { agent: ann, status: "busy", evidence: "a turn" });
  expect(await link.receiveFromPeer("r2d2", plainMail("m-1", "hello"))).toMatchObject({ isBusy: true });

  const { messages } = await hub.read(ann);
  expect(messages).toMatchObject([
    { message: { content: "hello", fromName: "r2d2", fromLabel: "R2", trust: "peer" } },
  ]);
});

test("mail to a plain daemon goes one at a time, until it has it or will not take it", async () => {
  const { hub, link, ann } = await openHub();
  await hub.execute("addPeer", { peer: peerNamed("r2d2", { kind: "plain" }) });
  const sent = [];
  for (const text of ["one", "two"]) sent.push(await hub.sendTo(ann, "r2d2", text));
  const [one, two] = sent;
  const first = await link.nextPlain("r2d2");
  expect(first).toMatchObject({ content: "one", to: {}, from: { name: "ann" } });
  expect(await link.nextPlain("r2d2")).toEqual(first);

  await link.plainTaken("r2d2", first?.seq ?? 0);
  expect(hub.receipt(one?.messageId ?? "").state).toBe("injected");
  const second = await link.nextPlain("r2d2");
  await link.plainRefused("r2d2", second?.seq ?? 0, "no such type");
  expect(hub.receipt(two?.messageId ?? "").state).toBe("failed");
  expect((await hub.inbox(ann))[0]).toMatch(/r2d2 refused it \(no such type\)/);
  expect(await link.nextPlain("r2d2")).toBeUndefined();
  expect(await link.numberFrames("r2d2")).toBeUndefined();
});

test("mail to another hub that has nothing under way is numbered in the commit that accepts it", async () => {
  const { hub, link, ann } = await openHub();
  await hub.execute("addPeer", { peer: peerNamed("r2d2") });
  let woken: Promise<Batch | undefined> | undefined;
  const stop = link.onWork((peer) => {
    woken ??= link.numberFrames(peer);
  });

  const { seq } = await hub.sendTo(ann, "bob@r2d2", "one");
  await hub.settled();

  const types = hub.events.pageAfter(seq - 1, 100).map(({ type }) => type);
  expect(types).toEqual(["MessageAccepted", "EpochBegun", "FramesNumbered", "MessagesOffered"]);
  expect(await woken).toMatchObject({ low: 1, frames: [{ n: 1, kind: "mail" }] });

  // What follows while it is under way waits for the next batch.
  await hub.sendTo(ann, "bob@r2d2", "two");
  await hub.settled();
  expect(hub.events.pageAfter(0, 1000).filter(({ type }) => type === "FramesNumbered")).toHaveLength(1);
  expect((await link.numberFrames("r2d2"))?.frames).toHaveLength(2);
  stop();
});
