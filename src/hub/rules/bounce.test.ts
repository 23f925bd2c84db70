import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { pacedLimits } from "../../../test/fakes/test-journal.js";

test("an expired message is told to its sender, as information, and that never bounces", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  const { messageId } = await hub.send(a, b, "quick", { expiresInMs: 1000 });
  hub.clock.advance(1000);
  await hub.ring();

  const [bounced] = (await hub.read(a)).messages;
  expect(bounced?.message).toMatchObject({
    type: "system",
    attention: "fyi",
    metadata: { bounce: messageId },
  });

  await hub.send("human", a, "x");
  await hub.deregister(a);
  await hub.settled();
  expect(hub.views.inbox.open("hub")).toEqual([]);
});

test("mail that fails because its reader left is told to its senders", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  await hub.send(a, b, "are you there");
  await hub.deregister(b);
  expect((await hub.inbox(a))[0]).toMatch(/to b was not read: b has left/);
});

test("orchestrators are told of a death", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const boss = await hub.register("boss", { role: "orchestrator" });
  const worker = await hub.register("worker", { heartbeat: true });
  await hub.execute("recordPresence", { agent: worker, status: "dead", evidence: "no heartbeat for 30 s" });
  expect((await hub.inbox(boss))[0]).toMatch(/worker is dead: no heartbeat for 30 s/);
});
