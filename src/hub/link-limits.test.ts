import { expect, test } from "vitest";
import { carryAll, openLinkedHubs, receive } from "../../test/fakes/linked-hubs.js";
import { HUMAN_ID } from "../model/agent.js";

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
