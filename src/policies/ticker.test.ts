import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { startTicker } from "./ticker.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function tick(hub: TestHub, execute = hub.execute) {
  const failures: unknown[] = [];
  const stop = startTicker({
    alarms: hub.views.alarms,
    now: hub.now,
    execute,
    onCommitted: hub.onCommitted,
    onError: (error) => failures.push(error),
  });
  onTestFinished(stop);
  return { stop, failures };
}

/** Time passes in small steps, with the hub at work in between. */
async function pass(hub: TestHub, ms: number, step = 500) {
  for (let passed = 0; passed < ms; passed += step) {
    hub.clock.advance(step);
    vi.advanceTimersByTime(step);
    await hub.settled();
    await hub.settled();
  }
}

async function openPair() {
  const hub = openTestHub();
  return { hub, alice: await hub.register("alice"), bob: await hub.register("bob") };
}

test("what is due is done when it is due, and not before", async () => {
  const { hub, alice, bob } = await openPair();
  tick(hub);
  await hub.send(alice, bob, "1", { id: "m1", expiresInMs: 10_000 });

  await pass(hub, 9_500);
  expect(hub.receipt("m1").state).toBe("accepted");

  await pass(hub, 1_000);
  expect(hub.receipt("m1").state).toBe("expired");
});

test("an alarm that is due sooner than the one waited for is not late", async () => {
  const { hub, alice, bob } = await openPair();
  tick(hub);
  await hub.send(alice, bob, "late", { id: "late", expiresInMs: 50_000 });
  await hub.send(alice, bob, "soon", { id: "soon", expiresInMs: 2_000 });

  await pass(hub, 3_000);
  expect([hub.receipt("soon").state, hub.receipt("late").state]).toEqual(["expired", "accepted"]);

  await pass(hub, 48_000);
  expect(hub.receipt("late").state).toBe("expired");
});

test("an alarm far away, beyond what one timer can sleep, rings all the same", async () => {
  const { hub, bob } = await openPair();
  tick(hub);
  await hub.rename(bob, "robert");

  await pass(hub, 24 * 3_600_000, 60_000);
  await pass(hub, 120_000, 60_000);

  expect(hub.views.roster.heldName("bob", "main")).toBeUndefined();
});

test("what became due while the hub was down rings at its start, more than one round of it", async () => {
  const { hub: before, alice, bob } = await openPair();
  await Promise.all(Array.from({ length: 600 }, () => before.send(alice, bob, "x", { expiresInMs: 1000 })));
  await before.close();
  before.clock.advance(60_000);

  const hub = await before.restart();
  tick(hub);
  await pass(hub, 5_000);

  expect(hub.views.inbox.depth(bob)).toBe(0);
  expect(hub.views.alarms.next()).toBeUndefined();
});

test("an alarm that could not be decided stays due and is tried again", async () => {
  const { hub, alice, bob } = await openPair();
  let isBroken = true;
  const { failures } = tick(hub, (kind, input) =>
    isBroken ? Promise.reject(new Error("the disk is full")) : hub.execute(kind, input),
  );
  await hub.send(alice, bob, "1", { id: "m1", expiresInMs: 1_000 });
  await pass(hub, 2_000);
  expect(failures.length).toBeGreaterThan(0);
  expect(hub.receipt("m1").state).toBe("accepted");

  isBroken = false;
  await pass(hub, 2_500);

  expect(hub.receipt("m1").state).toBe("expired");
});

test("a stopped ticker does nothing more", async () => {
  const { hub, alice, bob } = await openPair();
  const { stop } = tick(hub);
  await hub.send(alice, bob, "1", { id: "m1", expiresInMs: 1_000 });

  stop();
  await pass(hub, 5_000);
  await hub.send(alice, bob, "2", { expiresInMs: 1_000 });
  await pass(hub, 5_000);

  expect(hub.receipt("m1").state).toBe("accepted");
  expect(vi.getTimerCount()).toBe(0);
});
