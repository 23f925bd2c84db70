import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";

test("what an agent says in a turn is sent to nobody: it answers by a message of its own, or not at all", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  await hub.send(ann, bob, "Is --auth ready?");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();

  hub.runtime.turn().end({ text: "It is." });
  await hub.until(() => hub.state(bob) === "idle");
  await hub.settled();

  expect(await hub.inbox(ann)).toEqual([]);
  expect(hub.happened("MessageAccepted")).toHaveLength(1);
});
