import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";
import type { AgentId } from "../model/agent.js";

/** Waits as the hook of an idle session does. */
function idleSession(hub: HostedHub, agent: AgentId) {
  const worthTurn = { after: 0, attempts: 3 };
  let woken = false;
  const wait = hub.inboxReader.read({ agent, route: "hook", again: "when due", worthTurn, waitMs: 60_000 });
  void wait.then(() => {
    woken = true;
  });
  return { wait, woken: () => woken };
}

test("an open request wakes one agent that is free, its nudge all of them", async () => {
  const hub = await openHostedHub();
  const agents = [
    await hub.spawn({ name: "a" }),
    await hub.spawn({ name: "b" }),
    await hub.spawn({ name: "c" }),
  ];
  await hub.until(() => agents.every(({ id }) => hub.state(id) === "idle"));
  const ann = await hub.register("ann");
  hub.runtime.obey = "answer";
  const turns = () => hub.runtime.agents.map((agent) => agent.turns.length);

  const request = await hub.ask(ann, "Who can look at the parser?");
  await hub.until(() => turns().includes(1));
  await hub.until(() => agents.every(({ id }) => hub.state(id) === "idle"));
  expect(turns().toSorted((x, y) => x - y)).toEqual([0, 0, 1]);

  await hub.execute("nudgeRequest", { agent: ann, request });
  await hub.until(() => turns().every((n) => n > 0));
  expect(turns().toSorted((x, y) => x - y)).toEqual([1, 1, 2]);
});

test("without a hosted agent that is free it wakes one session that waits at its prompt, before a dormant one", async () => {
  const hub = await openHostedHub();
  const { id: dormant } = await hub.spawn({ name: "a" });
  hub.timers.advance(15 * 60_000);
  await hub.until(() => hub.state(dormant) === "dormant");
  const ann = await hub.register("ann");
  const [first, second] = [await hub.register("bob"), await hub.register("carl")].map((agent) =>
    idleSession(hub, agent),
  );

  const request = await hub.ask(ann, "Who can look at the parser?");

  const { messages } = (await first?.wait) ?? { messages: [] };
  expect(messages.map(({ message }) => message.id)).toEqual([request]);
  await hub.settled();
  expect(second?.woken()).toBe(false);
  expect(hub.state(dormant)).toBe("dormant");

  await hub.execute("nudgeRequest", { agent: ann, request });
  expect((await second?.wait)?.messages.map(({ message }) => message.type)).toEqual(["request", "nudge"]);
});

test("a session whose wait takes the request is not woken for it, and one that asked is not either", async () => {
  const hub = await openHostedHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const asker = idleSession(hub, ann);
  const tool = hub.inboxReader.read({ agent: bob, waitMs: 60_000 });
  const request = await hub.ask(ann, "Who can look at the parser?");
  expect((await tool).messages.map(({ message }) => message.id)).toEqual([request]);
  await hub.settled();
  expect(asker.woken()).toBe(false);
});

test("a request that the person lets go on wakes one, as if it had come then", async () => {
  const conversation = { hops: 1, messages: 100, causeMs: 15 * 60_000, unattended: 200 };
  const hub = await openHostedHub({ limits: { ...pacedLimits, conversation } });
  const agents = [await hub.spawn({ name: "a" }), await hub.spawn({ name: "b" })];
  await hub.until(() => agents.every(({ id }) => hub.state(id) === "idle"));
  const [ann, carl] = [await hub.register("ann"), await hub.register("carl")];
  await hub.send(carl, ann, "one");
  await hub.inbox(ann);
  await hub.send(ann, carl, "two");
  await hub.inbox(carl);
  hub.runtime.obey = "answer";
  const turns = () => hub.runtime.agents.map((agent) => agent.turns.length);

  await hub.ask(carl, "Who can look at the parser?");
  await hub.settled();
  expect(turns()).toEqual([0, 0]);
  const [{ data: paused } = { data: { conversation: "" } }] = hub.happened("ConversationPaused");
  await hub.execute("decideConversation", { conversation: paused.conversation, decision: "continue" });

  await hub.until(() => turns().includes(1));
  await hub.until(() => agents.every(({ id }) => hub.state(id) === "idle"));
  expect(turns().toSorted((x, y) => x - y)).toEqual([0, 1]);
});

test("an agent that died before it had the request is asked again when it is back", async () => {
  const hub = await openHostedHub();
  const { id } = await hub.spawn({ name: "a" });
  await hub.ask(await hub.register("ann"), "Who can look at the parser?");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.agent().exit();
  await hub.until(() => hub.state(id) === "backoff");
  hub.timers.advance(1000);
  await hub.until(() => hub.runtime.agents.length === 2 && hub.runtime.agent().turns.length === 1);
  expect(hub.runtime.turn().prompt.text).toContain("Who can look at the parser?");
});

test("an agent at its usage limit is not the one that is woken", async () => {
  const hub = await openHostedHub();
  const [a, b] = [await hub.spawn({ name: "a" }), await hub.spawn({ name: "b" })];
  const ann = await hub.register("ann");
  await hub.send(ann, a.id, "count the beans");
  const ofA = () => hub.runtime.agents.find(({ launch }) => launch.agent.id === a.id);
  await hub.until(() => ofA()?.turns.length === 1);
  const limit = { words: "You've hit your limit", until: hub.clock.wall() + 5 * 3_600_000 };
  ofA()?.turns[0]?.end({ stop: "error", error: limit.words, limit });
  await hub.until(() => hub.state(a.id) === "limited");
  const next = await hub.crash();
  await next.until(() => next.state(b.id) === "dormant" && next.status(a.id) === "limited");

  await next.ask(ann, "Who can look at the parser?");
  await next.until(() => next.runtime.agents.length === 3 && next.runtime.agent().turns.length === 1);
  expect(next.runtime.agent().launch.agent.id).toBe(b.id);
});
