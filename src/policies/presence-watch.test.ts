import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { Agent, AgentId } from "../model/agent.js";
import { startPresenceWatch } from "./presence-watch.js";

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] }),
);
afterEach(() => void vi.useRealTimers());

const failures: unknown[] = [];

function watch(hub: TestHub, limits = { offlineAfterMs: 30_000, deadAfterMs: 30_000 }) {
  const presence = startPresenceWatch({
    roster: hub.views.roster,
    clock: hub.clock,
    limits,
    execute: hub.execute,
    onError: (error) => failures.push(error),
  });
  return presence;
}

const STEP_MS = 10;

/** Time passes while the hub is awake: it sweeps every second. */
async function pass(hub: TestHub, seconds: number) {
  for (let i = 0; i < (seconds * 1000) / STEP_MS; i++) {
    hub.clock.advance(STEP_MS);
    vi.advanceTimersByTime(STEP_MS);
  }
  await hub.settled();
  expect(failures).toEqual([]);
}

function agentOf(hub: TestHub, id: AgentId): Agent {
  const agent = hub.views.roster.byId(id);
  if (agent === undefined) throw new Error(`no agent ${id}`);
  return agent;
}

const statusOf = (hub: TestHub, id: AgentId) => agentOf(hub, id).status;

test("30 s of silence make an agent offline, and one that promised heartbeats dead", async () => {
  const hub = openTestHub();
  const quiet = await hub.register("quiet");
  const beating = await hub.register("beating", { heartbeat: true });
  watch(hub);

  await pass(hub, 29);
  expect([statusOf(hub, quiet), statusOf(hub, beating)]).toEqual(["idle", "idle"]);

  await pass(hub, 2);
  expect(agentOf(hub, quiet)).toMatchObject({ status: "offline", statusEvidence: "no call for 30 s" });
  expect(agentOf(hub, beating)).toMatchObject({ status: "dead", statusEvidence: "no heartbeat for 30 s" });
});

test("the dead are known within the limit, and nobody whose heartbeat comes just before it is one of them", async () => {
  const hub = openTestHub();
  const dead = await hub.register("dead", { heartbeat: true });
  const late = await hub.register("late", { heartbeat: true });
  const presence = watch(hub);
  // At any place between two sweeps.
  await pass(hub, 0.37);
  presence.touch(agentOf(hub, dead));
  presence.touch(agentOf(hub, late));

  await pass(hub, 29.9);
  expect([statusOf(hub, dead), statusOf(hub, late)]).toEqual(["idle", "idle"]);
  presence.touch(agentOf(hub, late));
  await pass(hub, 0.1);
  expect([statusOf(hub, dead), statusOf(hub, late)]).toEqual(["dead", "idle"]);

  await pass(hub, 29.8);
  expect(statusOf(hub, late)).toBe("idle");
  await pass(hub, 0.1);
  expect(statusOf(hub, late)).toBe("dead");
});

test("short limits are kept as well", async () => {
  const hub = openTestHub();
  const beating = await hub.register("beating", { heartbeat: true });
  watch(hub, { offlineAfterMs: 30_000, deadAfterMs: 400 });

  await pass(hub, 0.37);
  expect(statusOf(hub, beating)).toBe("idle");
  await pass(hub, 0.03);
  expect(statusOf(hub, beating)).toBe("dead");
});

test("a hub that was held up first reads what came meanwhile", async () => {
  const hub = openTestHub();
  const [alice, bob] = [
    await hub.register("alice", { heartbeat: true }),
    await hub.register("bob", { heartbeat: true }),
  ];
  const presence = watch(hub);
  await pass(hub, 29);

  // Two seconds in which nothing ran: the heartbeats of then are read right after the timers that are late.
  hub.clock.advance(2000);
  vi.advanceTimersByTime(960);
  presence.touch(agentOf(hub, alice));
  await pass(hub, 0.3);

  expect([statusOf(hub, alice), statusOf(hub, bob)]).toEqual(["idle", "dead"]);
});

test("who falls silent was last active when it was last heard of", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  const presence = watch(hub);
  await pass(hub, 20);
  presence.touch(agentOf(hub, alice));
  const heard = hub.clock.wall();

  await pass(hub, 60);

  expect(agentOf(hub, alice)).toMatchObject({ status: "offline", lastActive: heard });
});

test("silence is journalled once, however long it lasts", async () => {
  const hub = openTestHub();
  await hub.register("alice");
  watch(hub);

  await pass(hub, 200);

  const changes = hub.events.pageAfter(0, 100).filter(({ type }) => type === "PresenceChanged");
  expect(changes).toHaveLength(1);
});

test("every call starts the deadline again", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice", { heartbeat: true });
  const presence = watch(hub);

  for (let i = 0; i < 5; i++) {
    await pass(hub, 25);
    presence.touch(agentOf(hub, alice));
  }

  expect(statusOf(hub, alice)).toBe("idle");
});

test("an agent that calls again is back", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice", { heartbeat: true });
  const presence = watch(hub);
  await pass(hub, 31);
  expect(statusOf(hub, alice)).toBe("dead");

  presence.touch(agentOf(hub, alice));
  await hub.settled();
  expect(agentOf(hub, alice)).toMatchObject({ status: "idle", statusEvidence: "it called the hub" });

  await pass(hub, 31);
  expect(statusOf(hub, alice)).toBe("dead");
});

test("an open wait counts as being there, until it has ended and 30 s have passed", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice", { heartbeat: true });
  const presence = watch(hub);
  const leave = [presence.enter(agentOf(hub, alice)), presence.enter(agentOf(hub, alice))];

  await pass(hub, 120);
  expect(statusOf(hub, alice)).toBe("idle");

  leave[0]?.();
  leave[0]?.();
  await pass(hub, 60);
  expect(statusOf(hub, alice)).toBe("idle");

  leave[1]?.();
  await pass(hub, 29);
  expect(statusOf(hub, alice)).toBe("idle");
  await pass(hub, 2);
  expect(statusOf(hub, alice)).toBe("dead");
});

test("when the computer slept, every deadline starts again", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice", { heartbeat: true });
  watch(hub);
  await pass(hub, 20);

  // The lid was closed for an hour: no sweep ran.
  hub.clock.advance(3_600_000);
  await pass(hub, 29);
  expect(statusOf(hub, alice)).toBe("idle");

  await pass(hub, 2);
  expect(statusOf(hub, alice)).toBe("dead");
});

test("setting the computer's clock moves no deadline", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  watch(hub);

  hub.clock.jumpWall(86_400_000);
  await pass(hub, 29);
  expect(statusOf(hub, alice)).toBe("idle");

  hub.clock.jumpWall(-2 * 86_400_000);
  await pass(hub, 2);
  expect(statusOf(hub, alice)).toBe("offline");
});

test("a restart gives everybody who was there a new deadline, and wakes nobody who was not", async () => {
  const before = openTestHub();
  const [alice, bob] = [await before.register("alice"), await before.register("bob")];
  const presence = watch(before);
  await pass(before, 20);
  presence.touch(agentOf(before, alice));
  await pass(before, 20);
  expect([statusOf(before, alice), statusOf(before, bob)]).toEqual(["idle", "offline"]);
  presence.stop();

  const hub = await before.restart();
  watch(hub);
  await pass(hub, 29);
  expect([statusOf(hub, alice), statusOf(hub, bob)]).toEqual(["idle", "offline"]);

  await pass(hub, 2);
  expect([statusOf(hub, alice), statusOf(hub, bob)]).toEqual(["offline", "offline"]);
});

test("an agent that left is not reported", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  watch(hub);
  await hub.deregister(alice);
  const before = hub.events.lastSeq();

  await pass(hub, 31);

  expect(hub.events.lastSeq()).toBe(before);
});

test("who was last seen when is kept in wall time, for people", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");
  const presence = watch(hub);

  hub.clock.advance(5000);
  const before = hub.clock.wall();
  presence.touch(agentOf(hub, alice));

  expect(presence.lastSeen(alice)).toBeGreaterThanOrEqual(before);
  presence.forget(alice);
  expect(presence.lastSeen(alice)).toBeUndefined();
});
