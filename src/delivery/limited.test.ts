import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import type { TurnEnd } from "../runtime/runtime.js";

const HOUR = 3_600_000;
const words = "You've hit your limit · resets 10am (UTC)";

/** A hub with alice, who writes, and bob, whose turns the test ends. */
async function openWorkplace() {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const alice = await hub.register("alice");
  const write = (content: string) => hub.send(alice, bob, content);
  return { hub, alice, bob, write };
}

const limited = (until?: number): Partial<TurnEnd> => ({
  stop: "error",
  error: words,
  limit: { words, ...(until === undefined ? {} : { until }) },
});

/** The clock goes on; its limit is looked at once a minute. A turn that begins by that has not waited yet. */
function pass(hub: HostedHub, ms: number) {
  hub.clock.advance(ms);
  const state = () => hub.state(hub.runtime.agent().launch.agent.id);
  const before = state();
  for (let seconds = 0; seconds < 60 && state() === before; seconds++) hub.timers.advance(1000);
}

async function reachLimit(hub: HostedHub, bob: string, until?: number) {
  await hub.until(() => hub.runtime.agent().turns.length > 0);
  const turn = hub.runtime.turn();
  turn.take();
  turn.respond();
  turn.end(limited(until));
  await hub.until(() => hub.state(bob) === "limited");
}

test("mail that met the vendor's usage limit waits for its end, and is given again then", async () => {
  const { hub, alice, bob, write } = await openWorkplace();
  const until = hub.clock.wall() + HOUR;
  const sent = await write("count the beans");
  await reachLimit(hub, bob, until);

  expect(hub.views.roster.byId(bob)).toMatchObject({
    status: "limited",
    limitedUntil: until,
    statusEvidence: expect.stringContaining("hit your limit") as unknown,
  });
  expect(hub.receipt(sent.messageId)).toMatchObject({ state: "accepted" });
  expect(hub.receipt(sent.messageId).steps.at(-1)).toMatchObject({ state: "accepted", reason: "limited" });
  expect(hub.happened("MessagesFinished")).toEqual([]);

  const later = await write("and the peas");
  expect(later).toMatchObject({
    reason: expect.stringMatching(/usage limit until 2026-01-05 10:00 UTC/) as unknown,
  });
  pass(hub, HOUR / 2);
  await hub.settled();
  expect(hub.runtime.agent().turns).toHaveLength(1);

  pass(hub, HOUR / 2 + 60_000);
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  expect(hub.runtime.turn().prompt.text).toMatch(/count the beans[\s\S]*and the peas/);
  hub.runtime.turn().take();
  hub.runtime.turn().end();
  await hub.until(() => hub.receipt(sent.messageId).state === "finished");
  expect(hub.views.roster.byId(bob)?.limitedUntil).toBe(null);
  expect(await hub.inbox(alice)).toHaveLength(1);
});

test("the person and the sender are told once, however often it is tried", async () => {
  const { hub, alice, bob, write } = await openWorkplace();
  await write("count the beans");
  await reachLimit(hub, bob);
  // Nobody said when it is over: it is tried after a pause, and the next one is longer.
  pass(hub, 599_000);
  await hub.settled();
  expect(hub.runtime.agent().turns).toHaveLength(1);
  pass(hub, 2000);
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  await reachLimit(hub, bob);
  pass(hub, 1_190_000);
  await hub.settled();
  expect(hub.runtime.agent().turns).toHaveLength(2);
  pass(hub, 20_000);
  await hub.until(() => hub.runtime.agent().turns.length === 3);

  const told = [
    expect.stringMatching(
      /^Agent bob has reached its vendor's usage limit: "You've hit[\s\S]*mail to it waits/,
    ) as unknown,
  ];
  expect(await hub.inbox(alice)).toEqual(told);
  expect(await hub.inbox("human")).toHaveLength(1);
});

test("a limit does not count as a failure, and the next one is told again", async () => {
  const { hub, alice, bob, write } = await openWorkplace();
  for (const round of [1, 2]) {
    await write(`round ${round}`);
    await hub.until(() => hub.runtime.agent().turns.length === 2 * round - 1);
    await reachLimit(hub, bob, hub.clock.wall() + HOUR);
    pass(hub, 2 * HOUR);
    await hub.until(() => hub.runtime.agent().turns.length === 2 * round);
    hub.runtime.turn().take();
    hub.runtime.turn().end();
    await hub.until(() => hub.state(bob) === "idle");
  }
  expect(hub.happened("AgentCrashed")).toEqual([]);
  expect(await hub.inbox(alice)).toHaveLength(2);
});

test("what the person will not have wait is tried at once", async () => {
  const { hub, bob, write } = await openWorkplace();
  await write("count the beans");
  await reachLimit(hub, bob, hub.clock.wall() + HOUR);
  await hub.send("human", bob, "I bought more", { attention: "interrupt" });
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  expect(hub.runtime.turn().prompt.text).toContain("I bought more");
  hub.runtime.turn().take();
  hub.runtime.turn().end();
  await hub.until(() => hub.state(bob) === "idle");
  expect(hub.runtime.agent().interrupts).toBe(0);
});

test("an agent that dies while it is limited is started when that is over", async () => {
  const { hub, bob, write } = await openWorkplace();
  await write("count the beans");
  await reachLimit(hub, bob, hub.clock.wall() + HOUR);
  hub.runtime.agent().exit();
  await hub.until(() => hub.state(bob) === "dormant");
  await write("more");
  await hub.settled();
  expect([hub.runtime.agents.length, hub.status(bob)]).toEqual([1, "limited"]);
  pass(hub, HOUR + 60_000);
  await hub.until(() => hub.runtime.agents.length === 2 && hub.runtime.agent().turns.length === 1);
  expect(hub.runtime.turn().prompt.text).toContain("count the beans");
});

test("a limit outlasts the hub", async () => {
  const { hub, bob, write } = await openWorkplace();
  const until = hub.clock.wall() + HOUR;
  const sent = await write("count the beans");
  await reachLimit(hub, bob, until);

  const next = await hub.crash();
  await next.settled();
  expect(next.views.roster.byId(bob)).toMatchObject({ status: "limited", limitedUntil: until });
  expect(next.runtime.agents).toHaveLength(1);
  pass(next, HOUR + 60_000);
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  next.runtime.turn().take();
  next.runtime.turn().end();
  await next.until(() => next.state(bob) === "idle");
  expect(next.receipt(sent.messageId).state).toBe("finished");
});

test("a limit outlasts an orderly stop of the hub", async () => {
  const { hub, bob, write } = await openWorkplace();
  await write("count the beans");
  await reachLimit(hub, bob, hub.clock.wall() + HOUR);
  await hub.hosting.end("drain");
  expect(hub.status(bob)).toBe("limited");
});

test("an agent that met the limit at a request is asked again when that is over, though a request alone wakes nobody", async () => {
  const { hub, alice, bob } = await openWorkplace();
  const request = await hub.ask(alice, "Who can count the beans?");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  await hub.claim(bob, request);
  await reachLimit(hub, bob, hub.clock.wall() + HOUR);

  const next = await hub.crash();
  await next.settled();
  expect(next.runtime.agents).toHaveLength(1);
  pass(next, HOUR + 60_000);
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  expect(next.runtime.turn().prompt.text).toContain("Who can count the beans?");
  await reachLimit(next, bob, next.clock.wall() + HOUR);
  pass(next, HOUR + 60_000);
  await next.until(() => next.runtime.agent().turns.length === 2);
  expect(next.runtime.turn().prompt.text).toContain("Who can count the beans?");
});

test("a request that somebody else took meanwhile wakes it no more", async () => {
  const { hub, alice, bob } = await openWorkplace();
  const carl = await hub.register("carl");
  const request = await hub.ask(alice, "Who can count the beans?");
  await reachLimit(hub, bob, hub.clock.wall() + HOUR);
  await hub.claim(carl, request);
  pass(hub, HOUR + 60_000);
  await hub.until(() => hub.state(bob) === "idle");
  await hub.settled();
  expect(hub.runtime.agent().turns).toHaveLength(1);
});
