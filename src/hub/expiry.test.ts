import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";

async function openPair() {
  const hub = openTestHub();
  return { hub, alice: await hub.register("alice"), bob: await hub.register("bob") };
}

test("a message that nobody read in time expires, and its sender can see it", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "now or never", { id: "m1", expiresInMs: 10_000 });

  hub.clock.advance(10_001);
  await hub.ring();

  expect(hub.receipt("m1")).toMatchObject({ state: "expired" });
  expect(hub.receipt("m1").steps).toMatchObject([{ state: "expired", reason: "not read in time" }]);
  expect(await hub.inbox(bob)).toEqual([]);
  expect(hub.views.inbox.depth(bob)).toBe(0);
});

test("it does not expire early, even if the alarm is fired early", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "patience", { id: "m1", expiresInMs: 10_000 });
  const alarm = hub.views.alarms.next();
  if (alarm === undefined) throw new Error("no alarm was set");

  hub.clock.advance(9_000);
  await hub.execute("fireAlarm", alarm);

  expect(hub.receipt("m1").state).toBe("accepted");
  expect(hub.views.alarms.next()).toEqual(alarm);
});

test("once it was offered it does not expire: the agent may have it", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1", expiresInMs: 10_000 });
  await hub.read(bob);

  hub.clock.advance(3_600_000);
  await hub.ring();

  expect(hub.receipt("m1").state).toBe("offered");
  expect(await hub.inbox(bob)).toEqual(["hello"]);
  expect(hub.views.alarms.next()).toBeUndefined();
});

test("an alarm fires once", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1", expiresInMs: 10_000 });
  hub.clock.advance(10_001);

  await Promise.all([hub.ring(), hub.ring()]);

  const fired = hub.events.pageAfter(0, 100).filter(({ type }) => type === "AlarmFired");
  expect(fired).toHaveLength(1);
  expect(hub.receipt("m1").steps).toHaveLength(1);
});

test("a message that expired while the hub was down expires when it is back", async () => {
  const { hub: before, alice, bob } = await openPair();
  await before.send(alice, bob, "hello", { id: "m1", expiresInMs: 10_000 });
  await before.close();
  before.clock.advance(60_000);

  const hub = await before.restart();
  await hub.ring();

  expect(hub.receipt("m1").state).toBe("expired");
});
