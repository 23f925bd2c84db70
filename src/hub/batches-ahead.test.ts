import { expect, test } from "vitest";
import { carryAll, openLinkedHubs, receive } from "../../test/fakes/linked-hubs.js";
import type { Batch } from "../model/link.js";

test("behind a batch that is under way another one goes, up to 256 frames ahead of the last ack", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  const bob = await r2d2.hub.register("bob");
  for (let n = 0; n < 300; n++) await bmo.hub.sendTo(ann, "bob@r2d2", `${n}`);
  const batches: Batch[] = [];
  for (let after: number | undefined; ; ) {
    const batch = await bmo.hub.execute("numberFrames", { peer: "r2d2", after });
    if (batch === undefined) break;
    batches.push(batch);
    after = batch.frames.at(-1)?.n;
  }
  expect(batches.map(({ low, frames }) => [low, frames[0]?.n, frames.length])).toEqual([
    [1, 1, 64],
    [1, 65, 64],
    [1, 129, 64],
    [1, 193, 64],
  ]);
  // Asked for anew it is the oldest one, and nothing more gets a number.
  expect(await bmo.hub.execute("numberFrames", { peer: "r2d2" })).toEqual(batches[0]);

  for (const batch of batches.slice(0, 2)) await receive(r2d2, batch);
  await carryAll(bmo, r2d2);
  const unread = r2d2.hub.views.inbox.unread(bob, 0, 1000);
  const texts = unread.map(({ seq }) => r2d2.hub.views.messages.bySeq(seq)?.data.message.content);
  expect(texts).toEqual(Array.from({ length: 300 }, (_, n) => `${n}`));
});
