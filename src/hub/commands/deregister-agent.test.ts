import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";

test("the unread mail of an agent that leaves fails visibly, offered or not", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, "1", { id: "offered" });
  await hub.read(bob);
  await hub.send(alice, bob, "2", { id: "waiting" });

  await hub.deregister(bob);

  for (const id of ["offered", "waiting"]) {
    expect(hub.receipt(id)).toMatchObject({ state: "failed" });
    expect(hub.receipt(id).steps.at(-1)).toMatchObject({ state: "failed", reason: "agent_gone" });
  }
  expect(hub.views.inbox.depth(bob)).toBe(0);
});

test("what it had seen stays seen, and what it sent stays in the inboxes of others", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, "to bob", { id: "seen" });
  await hub.ack(bob, "seen");
  await hub.send(bob, alice, "from bob");

  await hub.deregister(bob);

  expect(hub.receipt("seen").state).toBe("seen");
  expect(await hub.inbox(alice)).toEqual(["from bob"]);
});

test("who took it away is journalled", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  await hub.execute("deregisterAgent", { agent: alice, by: "itself" });
  await hub.execute("deregisterAgent", { agent: bob, by: "operator" });

  const left = hub.events.pageAfter(0, 100).filter(({ type }) => type === "AgentDeregistered");
  expect(left.map(({ data }) => data)).toEqual([
    { agent: alice, name: "alice", reason: "left" },
    { agent: bob, name: "bob", reason: "removed" },
  ]);
});

test("an agent leaves once", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");

  const answers = await Promise.allSettled([hub.deregister(alice), hub.deregister(alice)]);

  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect((await refusal(hub.deregister(alice))).code).toBe("AGENT_GONE");
});

test("a message that races with its recipient's leaving is refused or fails, never lost", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  const [before, , after] = await Promise.allSettled([
    hub.sendTo(alice, "bob", "1", { id: "before" }),
    hub.deregister(bob),
    hub.sendTo(alice, "bob", "2", { id: "after" }),
  ]);

  expect(before?.status).toBe("fulfilled");
  expect(hub.receipt("before").state).toBe("failed");
  expect(after).toMatchObject({ status: "rejected", reason: { code: "AGENT_GONE" } });
});
