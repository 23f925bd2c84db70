import { expect, test } from "vitest";
import { openTestJournal } from "../../test/fakes/test-journal.js";
import { deciders } from "./deciders.js";

test("commands and their answers are data: they can cross to another thread and back", async () => {
  const { execute, views, clock } = openTestJournal(deciders);
  // Both ways through the structured clone that threads use: a function, a class or a handle would fail.
  const cross: typeof execute = async (kind, input) =>
    structuredClone(await execute(kind, structuredClone(input)));

  const alice = await cross("registerAgent", { name: "alice", credential: "a" });
  const bob = await cross("registerAgent", { name: "bob", credential: "b" });
  const renamed = await cross("updateAgent", { agent: bob.id, name: "robert" });
  const receipt = await cross("sendMessage", { from: alice.id, to: "robert", content: "x", expiresInMs: 1 });
  const offered = await cross("offerMessages", { agent: bob.id, route: "inbox" });
  const seen = await cross("acknowledge", { agent: bob.id, ids: [receipt.messageId] });
  await cross("recordPresence", { agent: alice.id, status: "offline", evidence: "test" });
  clock.advance(10);
  for (const alarm of views.alarms.due(Number.MAX_SAFE_INTEGER, 10)) await cross("fireAlarm", alarm);
  await cross("deregisterAgent", { agent: alice.id, by: "operator" });

  expect(renamed).toEqual({ previousName: "bob", newName: "robert" });
  expect(offered).toMatchObject({ messages: [{ seq: receipt.seq, message: { content: "x" } }], more: false });
  expect(seen).toEqual({ acknowledged: [receipt.messageId], unknown: [] });
});
