import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../model/agent.js";

const MINUTE = 60_000;

async function office() {
  const hub = openTestHub();
  const boss = await hub.register("boss", { role: "orchestrator" });
  const ann = await hub.register("ann");
  const ben = await hub.register("ben");
  const pause = (agent?: string, by = HUMAN_ID) => hub.execute("pauseAgents", { by, agent });
  const resume = (agent?: string, by = HUMAN_ID) => hub.execute("resumeAgents", { by, agent });
  return { hub, boss, ann, ben, pause, resume };
}

test("what is sent to a paused agent waits, is shown as held, and comes in its order", async () => {
  const { hub, ann, ben, pause, resume } = await office();
  await hub.send(ann, ben, "one");
  await pause(ben);

  expect(await hub.send(ann, ben, "two")).toMatchObject({ state: "held", reason: '"ben" is paused' });
  expect(await hub.inbox(ben)).toEqual([]);

  await resume(ben);
  expect(await hub.inbox(ben)).toEqual(["one", "two"]);
});

test("an open wait goes on waiting while its agent is paused, and is answered when it goes on", async () => {
  const { hub, ann, ben, pause, resume } = await office();
  const reader = hub.reader();
  await pause(ben);
  const waited = reader.read({ agent: ben, waitMs: MINUTE });
  await hub.send(ann, ben, "hello");
  await hub.settled();
  expect(reader.waiting()).toBe(1);

  await resume(ben);

  expect((await waited).messages.map(({ message }) => message.content)).toEqual(["hello"]);
});

test("a wait for somebody else goes on when its agent is resumed", async () => {
  const { hub, ann, ben, pause, resume } = await office();
  const reader = hub.reader();
  await pause(ben);
  const waited = reader.read({ agent: ben, from: ann, waitMs: MINUTE });
  await resume(ben);
  await hub.settled();
  expect(reader.waiting()).toBe(1);

  await hub.send(ann, ben, "here I am");

  expect((await waited).messages).toHaveLength(1);
});

test("all are paused, with whoever comes later, until all are resumed", async () => {
  const { hub, ann, ben, pause, resume } = await office();
  expect(await pause()).toEqual({ agents: 3 });
  const late = await hub.register("late");
  await hub.send(HUMAN_ID, late, "hello");
  await hub.send(HUMAN_ID, ben, "hello");
  expect(await hub.inbox(late)).toEqual([]);

  await resume(ben);
  expect(await hub.inbox(ben)).toEqual(["hello"]);
  expect(hub.views.roster.byId(ann)?.pausedSince).not.toBe(null);

  expect(await resume()).toEqual({ agents: 3 });
  expect(await hub.inbox(late)).toEqual(["hello"]);
  const later = await hub.register("later");
  expect(hub.views.roster.byId(later)?.pausedSince).toBe(null);
});

test("pausing what is paused and resuming what is not changes nothing", async () => {
  const { hub, ben, pause, resume } = await office();
  expect(await resume(ben)).toEqual({ agents: 0 });
  await pause(ben);
  const since = hub.views.roster.byId(ben)?.pausedSince;
  hub.clock.advance(MINUTE);
  expect(await pause(ben)).toEqual({ agents: 0 });
  expect(hub.views.roster.byId(ben)?.pausedSince).toBe(since);
});

test("agents pause nobody, and orchestrators no orchestrator", async () => {
  const { hub, boss, ann, ben, pause, resume } = await office();
  const chief = await hub.register("chief", { role: "orchestrator" });
  for (const asked of [pause(ben, ann), resume(ben, ann), pause(undefined, ann), resume(undefined, ann)])
    expect(await refusal(asked)).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(pause(chief, boss))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(pause(HUMAN_ID))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(pause("nobody"))).toMatchObject({ code: "AGENT_GONE" });

  expect(await pause(undefined, boss)).toEqual({ agents: 2 });
  const [third, fourth] = [
    await hub.register("third", { role: "orchestrator" }),
    await hub.register("fourth"),
  ];
  const isPaused = (id: string) => hub.views.roster.byId(id)?.pausedSince !== null;
  expect([boss, chief, third].map(isPaused)).toEqual([false, false, false]);
  expect([ann, ben, fourth].map(isPaused)).toEqual([true, true, true]);
});

test("a hub that starts again is as paused as it was", async () => {
  const { hub, ann, ben, pause } = await office();
  await pause();
  await hub.send(ann, ben, "hello");
  const again = await hub.restart();
  expect(await again.inbox(ben)).toEqual([]);
  expect(await again.inbox(await again.register("late"))).toEqual([]);

  await again.execute("resumeAgents", { by: HUMAN_ID });
  expect(await again.inbox(ben)).toEqual(["hello"]);
});

test("the time of a task stands still while its agent is paused", async () => {
  const { hub, ben, pause, resume } = await office();
  const running = await hub.assign(ben, "go", { timeoutMs: 10 * MINUTE });
  await hub.read(ben);
  await hub.ack(ben, running);
  hub.clock.advance(4 * MINUTE);
  await pause(ben);
  const waiting = await hub.assign(ben, "then this");
  hub.clock.advance(30 * 60 * MINUTE);
  await hub.ring();
  expect([hub.task(running).state, hub.task(waiting).state]).toEqual(["running", "pending"]);

  await resume(ben);
  hub.clock.advance(5 * MINUTE);
  await hub.ring();
  expect(hub.task(running).state).toBe("running");
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
  expect(hub.task(running)).toMatchObject({
    state: "failed",
    error: expect.stringContaining("10m") as unknown,
  });
  expect(hub.task(waiting).state).toBe("pending");
  hub.clock.advance(13 * 60 * MINUTE);
  await hub.ring();
  expect(hub.task(waiting).state).toBe("failed");
});
