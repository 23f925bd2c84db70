import { expect, test } from "vitest";
import { carryAll, openLinkedHubs, receive } from "../../test/fakes/linked-hubs.js";
import { signedBatch } from "../contract/link/batch.js";
import { HUMAN_ID } from "../model/agent.js";
import type { Batch, Frame, RequestNews } from "../model/link.js";
import { frameDigest } from "../views/frame-digest.js";

/* What a hub does not take of another one, and what becomes of it. */

test("one peer takes no more of an inbox than its share, whatever its agents are called; the others of that inbox get in", async () => {
  const { bmo, r2d2 } = await openLinkedHubs({ limits: { peerMail: { interrupt: false, share: 3 } } });
  const senders = [await bmo.hub.register("ann"), await bmo.hub.register("ben")];
  const bob = await r2d2.hub.register("bob");
  const cat = await r2d2.hub.register("cat");
  const sent: string[] = [];
  for (let n = 0; n < 3; n++)
    for (const sender of senders) sent.push((await bmo.hub.sendTo(sender, "bob@r2d2", `m${n}`)).messageId);
  const toCat = await bmo.hub.sendTo(senders[0] ?? "", "cat@r2d2", "hello");

  await carryAll(bmo, r2d2);

  const states = sent.map((id) => bmo.hub.receipt(id).state);
  expect(states).toEqual(["injected", "injected", "injected", "failed", "failed", "failed"]);
  expect(bmo.hub.receipt(toCat.messageId).state).toBe("injected");
  const [bounced = ""] = await bmo.hub.inbox(senders[1] ?? "");
  expect(bounced).toMatch(/3 unread messages of bmo, and takes no more of it/);
  await r2d2.hub.send(cat, bob, "a neighbour");
  expect(await r2d2.hub.inbox(bob)).toEqual(["m0", "m0", "m1", "a neighbour"]);
});

test("mail that a hub will never take bounces, its number goes on as nothing, and what follows comes", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  const large = await bmo.hub.sendTo(ann, "bob@r2d2", "too large");
  await bmo.hub.sendTo(ann, "bob@r2d2", "behind it");
  const batch = await bmo.hub.execute("numberFrames", { peer: "r2d2" });
  const refused = { peer: "r2d2", epoch: batch?.epoch ?? "", n: 1, reason: '"r2d2" answered 413' };

  await bmo.hub.execute("recordFrameRefused", { ...refused, epoch: "another" });
  expect(bmo.hub.receipt(large.messageId).state).toBe("offered");
  await bmo.hub.execute("recordFrameRefused", refused);
  await bmo.hub.execute("recordFrameRefused", refused);
  await carryAll(bmo, r2d2);

  expect(bmo.hub.receipt(large.messageId)).toMatchObject({ state: "failed" });
  expect(await bmo.hub.inbox(ann)).toMatchObject([expect.stringContaining("answered 413") as unknown]);
  expect(await r2d2.hub.inbox(bob)).toEqual(["behind it"]);
});

test("a batch without frames tells a restored receiver what it lacks", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ack = await receive(r2d2, { epoch: "e1", low: 5, frames: [] });
  expect(ack).toEqual({ epoch: "e1", upTo: 4, digest: null });
  expect(await r2d2.hub.inbox(HUMAN_ID)).toMatchObject([
    expect.stringContaining("Mail from bmo is missing: up to 4 messages") as unknown,
  ]);
  await receive(r2d2, { epoch: "e1", low: 5, frames: [] });
  expect(await r2d2.hub.inbox(HUMAN_ID)).toHaveLength(1);
  await bmo.hub.close();
});

/** News of requests that one hub of somebody else's making could send: each from another agent of its own, if it likes. */
function news(n: number, more: { from?: string; nudges?: number } = {}): RequestNews {
  const { from = `agent${n}`, nudges = 0 } = more;
  return {
    id: `req-${n}`,
    state: "open",
    from: { id: from, name: from, team: "main" },
    description: `help ${n}`,
    timeoutMs: 60_000,
    expiresInMs: 60_000,
    nudges,
    conversation: `req-${n}`,
    hop: 0,
  };
}

const batchOf = (first: number, requests: readonly RequestNews[]) => ({
  epoch: "e1",
  low: 1,
  frames: requests.map((request, i) => ({ n: first + i, kind: "request" as const, request })),
});

test("however many requests a peer shares, and by however many agents, so many are open here; agents here still ask and are heard", async () => {
  const { r2d2 } = await openLinkedHubs({
    limits: { peerMail: { interrupt: false, share: 10 }, requestOpenCap: 5, requestAgentCap: 3 },
  });
  const [bob, cat] = [await r2d2.hub.register("bob"), await r2d2.hub.register("cat")];
  const many = Array.from({ length: 50 }, (_, n) => news(n));

  expect(await receive(r2d2, batchOf(1, many.slice(0, 30)))).toMatchObject({ upTo: 30 });
  expect(await receive(r2d2, batchOf(31, many.slice(30)))).toMatchObject({ upTo: 50 });
  expect(r2d2.hub.views.requests.openCountFrom("bmo")).toBe(10);
  expect(await r2d2.hub.inbox(bob)).toHaveLength(10);

  const id = await r2d2.hub.ask(cat, "can you still hear me?");
  expect((await r2d2.hub.inbox(bob)).at(-1)).toBe("can you still hear me?");
  await r2d2.hub.claim(bob, id);
  expect(r2d2.hub.views.requests.byId(id)?.state).toMatchObject({ kind: "claimed", by: bob });
});

test("one agent of a peer has no more requests open here than one of this hub may have, also in one batch", async () => {
  const { r2d2 } = await openLinkedHubs({ limits: { requestAgentCap: 3 } });
  await r2d2.hub.register("bob");
  await receive(
    r2d2,
    batchOf(
      1,
      Array.from({ length: 20 }, (_, n) => news(n, { from: "ann" })),
    ),
  );
  expect(r2d2.hub.views.requests.openCountFrom("bmo")).toBe(3);
});

test("a peer that reminds without end is heard a few times, and fills no inbox beyond its share", async () => {
  const { r2d2 } = await openLinkedHubs({
    limits: { peerMail: { interrupt: false, share: 5 }, requestNudgeCap: 3 },
  });
  const bob = await r2d2.hub.register("bob");
  for (let n = 0; n < 20; n++) await receive(r2d2, batchOf(n + 1, [news(1, { nudges: n })]));
  expect(await r2d2.hub.inbox(bob)).toHaveLength(4);
  await receive(r2d2, batchOf(21, [news(2), news(3), news(4)]));
  expect(await r2d2.hub.inbox(bob)).toHaveLength(5);
  expect(r2d2.hub.views.requests.openCountFrom("bmo")).toBe(4);
});

test("what a later version says is passed over: its number counts, what follows comes, and the person is told once", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  await bmo.hub.sendTo(ann, "bob@r2d2", "plain words");
  const batch = await bmo.hub.execute("numberFrames", { peer: "r2d2" });
  const [mail] = batch?.frames ?? [];
  const later = JSON.parse(
    JSON.stringify([
      { n: 1, kind: "poll", poll: { id: "p1" } },
      { n: 2, kind: "request", request: { id: "req-1", state: "paused" } },
      { n: 3, kind: "receipt", receipt: { id: "m1", from: "a1", state: "read aloud", at: 0 } },
      { ...mail, n: 4 },
    ]),
  ) as Frame[];
  expect(later.map((frame) => frameOfBatch(frame))).toEqual([true, true, true, true]);

  const ack = await receive(r2d2, { epoch: "e9", low: 1, frames: later });
  expect(ack).toMatchObject({ upTo: 4, digest: frameDigest(later[3] ?? { n: 4, kind: "void" }) });
  expect(await r2d2.hub.inbox(bob)).toEqual(["plain words"]);
  await receive(r2d2, {
    epoch: "e9",
    low: 1,
    frames: later.slice(0, 1).map((frame) => ({ ...frame, n: 5 })),
  });
  expect(await r2d2.hub.inbox(HUMAN_ID)).toEqual([
    expect.stringContaining(
      'bmo runs a later version of Huddle and told this hub something that it does not understand ("poll")',
    ),
  ]);
});

test("mail of a type or with a field that only a later version knows is a plain message", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  await bmo.hub.sendTo(ann, "bob@r2d2", "vote for it");
  const batch = await bmo.hub.execute("numberFrames", { peer: "r2d2" });
  const later = JSON.parse(
    JSON.stringify(batch).replace('"type":"message"', '"type":"ballot","typed":{"kind":"ballot","of":3}'),
  ) as Batch;
  expect(later.frames.map((frame) => frameOfBatch(frame))).toEqual([true]);

  await receive(r2d2, later);
  const { messages } = await r2d2.hub.read(bob);
  expect(messages).toMatchObject([{ message: { type: "message", content: "vote for it" } }]);
  expect(messages[0]?.message).not.toHaveProperty("typed");
});

/** Whether the listener would let such a frame in. */
function frameOfBatch(frame: Frame): boolean {
  const id = "a".repeat(32);
  const head = { v: 1, origin: id, dest: id, from: "bmo", key: "k", epoch: "e", low: 1, sig: "s" };
  return signedBatch.safeParse({ ...head, frames: [frame] }).success;
}
