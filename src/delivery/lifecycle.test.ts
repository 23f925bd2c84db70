import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { refusal } from "../../test/fakes/refusal.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";
import { RuntimeError } from "../runtime/runtime.js";

test("children are limited in depth and agents in number, and each refusal says by what", async () => {
  const hub = await openHostedHub({ limits: { depth: 1, hosted: 2 } });
  const { id: parent } = await hub.spawn({ name: "parent" });
  const { id: child } = await hub.spawn({ name: "child", by: parent, project: undefined });
  expect(hub.views.roster.byId(child)).toMatchObject({ depth: 1, parent });
  expect(hub.views.roster.byId(child)?.project).toBe(hub.views.roster.byId(parent)?.project);

  expect(await refusal(hub.spawn({ by: child }))).toMatchObject({ code: "DEPTH_LIMIT" });
  expect(await refusal(hub.spawn({}))).toMatchObject({
    code: "HOSTED_LIMIT",
    message: expect.stringContaining("hosting.agents") as unknown,
    details: { limit: 2 },
  });
  expect(await refusal(hub.spawn({ backend: "nope" }))).toMatchObject({
    code: "BACKEND_UNKNOWN",
    details: { available: ["scripted"] },
  });
  expect(await refusal(hub.spawn({ backend: undefined }))).toMatchObject({
    code: "BACKEND_UNKNOWN",
    details: { available: ["scripted"] },
  });
  expect(await refusal(hub.spawn({ name: "adm1n" }))).toMatchObject({ code: "NAME_RESERVED" });
  expect(await refusal(hub.spawn({ project: "relative" }))).toMatchObject({ code: "INVALID_INPUT" });
  expect(await refusal(hub.spawn({ project: "/nowhere/at/all" }))).toMatchObject({ code: "INVALID_INPUT" });
  expect(await refusal(hub.spawn({ runtime: "headless" }))).toMatchObject({ code: "RUNTIME_UNAVAILABLE" });
});

test("agents cannot take the places that are kept for the person, nor one agent more than its share", async () => {
  const hub = await openHostedHub({ limits: { hosted: 5, hostedReserve: 2, children: 2 } });
  const [mallory, ann] = [await hub.register("mallory"), await hub.register("ann")];
  for (let i = 0; i < 2; i++) await hub.spawn({ by: mallory });
  expect(await refusal(hub.spawn({ by: mallory }))).toMatchObject({
    code: "HOSTED_LIMIT",
    message: expect.stringContaining("agents.children") as unknown,
  });
  await hub.spawn({ by: ann });
  expect(await refusal(hub.spawn({ by: ann }))).toMatchObject({
    code: "HOSTED_LIMIT",
    message: expect.stringContaining("hosting.reserve") as unknown,
    details: { limit: 3 },
  });

  for (let i = 0; i < 2; i++) await hub.spawn({});
  expect(await refusal(hub.spawn({}))).toMatchObject({ code: "HOSTED_LIMIT", details: { limit: 5 } });
});

test("a spawn that is asked for again under its id starts nothing", async () => {
  const hub = await openHostedHub();
  const first = await hub.spawn({ id: "call-1", name: "bob", message: "go", messageId: "m-1" });
  const again = await hub.spawn({ id: "call-1", name: "bob", message: "go", messageId: "m-1" });

  expect(again).toMatchObject({ id: first.id, name: "bob" });
  expect(hub.runtime.agents).toHaveLength(1);
  expect(hub.happened("MessageAccepted")).toHaveLength(1);
});

test("whoever spawned an agent that does not start is told", async () => {
  const hub = await openHostedHub();
  const { id: parent } = await hub.spawn({ name: "parent" });
  hub.runtime.failing.push(new RuntimeError("BACKEND_FAILED", "no key"));

  const error = await refusal(hub.spawn({ by: parent, name: "child" }));

  expect(error).toMatchObject({ code: "SPAWN_FAILED", details: { reason: "BACKEND_FAILED" } });
  expect(await hub.inbox(parent)).toEqual([
    "Agent child, which you spawned, has failed: no key. It is gone.",
  ]);
});

test("an agent that takes its time answers starting, and its mail waits for it", async () => {
  const hub = await openHostedHub();
  hub.runtime.holdStarts = true;
  const spawning = hub.spawn({ name: "slow", message: "hello" });
  await hub.until(() => hub.happened("MessageAccepted").length === 1);
  await hub.settled();
  hub.timers.advance(5000);
  const slow = await spawning;
  expect(slow.state).toBe("starting");
  expect(hub.status(slow.id)).toBe("starting");

  hub.runtime.obey = "answer";
  hub.runtime.release();

  await hub.until(() => hub.state(slow.id) === "idle");
  expect(hub.runtime.agent().turns).toHaveLength(1);
});

test("a kill does not wait for a start, and whoever waits for that hears of it", async () => {
  const hub = await openHostedHub();
  hub.runtime.holdStarts = true;
  const spawning = refusal(hub.spawn({ name: "slow" }));
  await hub.until(() => hub.views.roster.byName("slow", "main") !== undefined);
  const slow = hub.views.roster.byName("slow", "main")?.id ?? "";
  await hub.until(() => hub.state(slow) === "starting");

  expect(await hub.stops.kill({ agent: slow, by: "human", waitMs: 10_000 })).toEqual({ killed: true });

  const error = await spawning;
  expect(error).toMatchObject({ code: "SPAWN_FAILED", details: { reason: "AGENT_GONE" } });
  expect(error.message).toBe('"slow" did not start: it was ended before it had started');
  expect(hub.runtime.agents).toHaveLength(0);
});

test("an agent ends those below it, an orchestrator anyone's, nobody the person's or an attached one", async () => {
  const hub = await openHostedHub();
  const { id: parent } = await hub.spawn({ name: "parent" });
  const { id: child } = await hub.spawn({ name: "child", by: parent });
  const stranger = await hub.register("stranger");
  const boss = await hub.register("boss", { role: "orchestrator" });
  const kill = (agent: string, by: string) => hub.stops.kill({ agent, by, waitMs: 1000 });

  expect(await refusal(kill(parent, child))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(kill(child, stranger))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(kill(stranger, "human"))).toMatchObject({ code: "NOT_HOSTED" });
  expect(await kill(child, parent)).toEqual({ killed: true });
  expect(await kill(parent, boss)).toEqual({ killed: true });
});

test("an attached agent acknowledges a shutdown by reading it", async () => {
  const hub = await openHostedHub();
  const ann = await hub.register("ann");

  const asked = hub.stops.shutdown({ agent: ann, by: "human", reason: "We are done.", waitMs: 30_000 });
  await hub.until(() => hub.views.inbox.depth(ann) === 1);
  const { messages } = await hub.read(ann);

  expect(messages[0]?.message).toMatchObject({
    type: "shutdown",
    content: "Finish what you are at, then end. We are done.",
  });
  expect(await asked).toEqual({ acknowledged: true });
  const deaf = hub.stops.shutdown({ agent: ann, by: "human", waitMs: 30_000 });
  await hub.settled();
  hub.timers.advance(30_000);
  expect(await deaf).toEqual({ acknowledged: false });
});

test("an agent that its runtime could not give its mail failed for that reason, not after the driver's time", async () => {
  const hub = await openHostedHub();
  await hub.spawn({ name: "bob" });
  await hub.sendTo("human", "bob", "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  const sentence = "The line was not confirmed in pane %1: no turn was seen to begin within 5 s.";
  hub.runtime.turn().refuse(new RuntimeError("NOT_TAKEN", sentence));
  await hub.until(() => hub.happened("AgentCrashed").length === 1);

  expect(hub.happened("AgentCrashed")[0]?.data.why).toBe(
    "it did not take its mail: The line was not confirmed in pane %1: no turn was seen to begin within 5 s",
  );
});

test("an agent that does not take its prompt, or does not obey a cancel, is ended and restarted", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.timers.advance(30_000);
  await hub.until(() => hub.runtime.agents[0]?.stopped !== undefined);
  await hub.until(() => hub.status(bob) === "error");
  expect(hub.happened("AgentCrashed").at(-1)?.data.why).toBe("it did not take its mail within 30 s");
  hub.timers.advance(1000);
  await hub.until(() => hub.runtime.agents.length === 2 && hub.runtime.agent().turns.length === 1);
  expect(hub.receipt(sent.messageId)).toMatchObject({ state: "offered", attempt: 2 });

  hub.runtime.heeds = false;
  hub.runtime.turn().take();
  await hub.until(() => hub.state(bob) === "busy");
  await hub.send("human", bob, "stop", { attention: "interrupt" });
  await hub.until(() => hub.state(bob) === "cancelling");
  hub.timers.advance(5000);
  await hub.until(() => hub.runtime.agents[1]?.stopped !== undefined);
  expect(hub.state(bob)).toBe("backoff");
});

test("a pane that is slow to be interrupted keeps its process, and gets its mail when its turn is over", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  hub.runtime.obey = "take";
  hub.runtime.heeds = false;
  await hub.send("human", bob, "hello");
  await hub.until(() => hub.state(bob) === "busy");
  await hub.send("human", bob, "stop", { attention: "interrupt" });
  await hub.until(() => hub.state(bob) === "cancelling");
  hub.timers.advance(60_000);
  await hub.settled();
  expect(hub.state(bob)).toBe("cancelling");
  expect(hub.happened("AgentCrashed")).toEqual([]);

  hub.runtime.turn().end({ stop: "cancelled", text: "" });
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  expect(hub.runtime.agents).toHaveLength(1);
});

test("an agent that says nothing for long is stalled, visibly, until it goes on", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  hub.runtime.obey = "take";
  await hub.send("human", bob, "hello");
  await hub.until(() => hub.state(bob) === "busy");
  hub.timers.advance(10 * 60_000);
  await hub.until(() => hub.status(bob) === "stalled");

  hub.runtime.agent().host.output({ kind: "text", text: "…" });

  await hub.until(() => hub.status(bob) === "busy");
});

test("the silence of one turn is no output of the next", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  hub.runtime.obey = "take";
  await hub.send("human", bob, "hello");
  await hub.until(() => hub.state(bob) === "busy");
  hub.timers.advance(10 * 60_000);
  await hub.until(() => hub.status(bob) === "stalled");

  const sent = await hub.send("human", bob, "stop", { attention: "interrupt" });
  await hub.until(() => hub.runtime.agent().turns.length === 2 && hub.status(bob) === "busy");
  await hub.settled();

  expect(hub.ladder(sent.messageId)).toEqual(["accepted", "offered", "injected"]);
});

test("what an agent reads by itself in a turn is seen when the turn ends, and starts no other", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  hub.runtime.obey = "take";
  await hub.send(ann, bob, "one");
  await hub.until(() => hub.state(bob) === "busy");
  hub.clock.advance(10);
  const { messageId } = await hub.send(ann, bob, "two");
  expect(await hub.inbox(bob)).toEqual(["two"]);

  hub.runtime.turn().end();

  await hub.until(() => hub.state(bob) === "idle");
  expect(hub.receipt(messageId).steps.at(-1)).toMatchObject({ state: "seen", evidence: "turn_end" });
  hub.clock.advance(61_000);
  hub.timers.advance(61_000);
  await hub.settled();
  expect(hub.runtime.agent().turns).toHaveLength(1);
});

test("what it read outside of a turn and never proved comes again by one", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  hub.runtime.obey = "take";
  await hub.send("human", bob, "one");
  await hub.until(() => hub.state(bob) === "busy");
  await hub.send("human", bob, "two");
  await hub.inbox(bob);
  hub.runtime.turn().end({ stop: "cancelled" });
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  hub.runtime.turn().end();
  await hub.until(() => hub.state(bob) === "idle");

  hub.clock.advance(61_000);
  hub.timers.advance(60_001);

  await hub.until(() => hub.runtime.agent().turns.length === 3);
  expect(hub.runtime.turn().prompt.text).toContain("two");
});

test("two agents that answer each other forever stop at their budget, and the person is asked once", async () => {
  const hub = await openHostedHub({ limits: pacedLimits });
  const { id: a } = await hub.spawn({ name: "a" });
  const { id: b } = await hub.spawn({ name: "b" });
  await hub.until(() => hub.state(a) === "idle" && hub.state(b) === "idle");
  hub.runtime.obey = "take";
  await hub.send("human", a, "talk to b");

  // Each turn lasts longer than any window of time: what counts is what the turn carries.
  let sent = 0;
  for (let round = 0; round < 60; round++) {
    const [me, other] = round % 2 === 0 ? [a, b] : [b, a];
    if (hub.state(me) !== "busy") {
      await hub.settled();
      await hub.settled();
      if (hub.state(me) !== "busy") break;
    }
    hub.clock.advance(20 * 60_000);
    await hub.send(me, other, `round ${round}`);
    sent++;
    hub.runtime.agents[round % 2]?.turns.at(-1)?.end();
    await hub.until(() => hub.state(me) === "idle");
    await hub.until(() => hub.state(other) === "busy" || hub.views.inbox.heldFor("budget").length > 0);
  }

  expect(sent).toBe(25);
  expect((await hub.inbox("human")).filter((text) => text.includes("without you"))).toHaveLength(1);
});

test("a first prompt names the others only when that is asked for", async () => {
  const hub = await openHostedHub({ rosterInPrompt: true });
  await hub.register("ann");
  const { id: bob } = await hub.spawn({ name: "bob", message: "hello" });
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  expect(hub.runtime.turn().prompt.text).toBe(
    "(Huddle: the other agents here are ann. Write to them with send_message.)\n\nhello",
  );
  hub.runtime.turn().take();
  hub.runtime.turn().end();
  await hub.until(() => hub.state(bob) === "idle");
  await hub.send("human", bob, "again");
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  expect(hub.runtime.turn().prompt.text).toBe("again");
});

test("a pane that needs the person keeps its mail, and gets it when the person is done", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  hub.runtime.turn().refuse(new RuntimeError("HELD", "a draft is in its input box"));
  await hub.until(() => hub.status(bob) === "waiting");
  expect(hub.receipt(sent.messageId)).toMatchObject({ state: "accepted" });
  hub.runtime.agent().host.waiting?.(undefined);

  await hub.until(() => hub.runtime.agent().turns.length === 2);
});

test("a pane that needs the person does not keep the hub from stopping", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  const ended = hub.hosting.end("drain");
  hub.runtime.turn().refuse(new RuntimeError("HELD", "a draft is in its input box"));
  await ended;

  await hub.until(() => hub.happened("AgentStopped").length === 1);
  expect(hub.receipt(sent.messageId)).toMatchObject({ state: "accepted" });
});

test("a pane is only told of what does not fit a line; the agent reads it, not marked as repeated", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "x".repeat(500));
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  await hub.until(() => hub.ladder(sent.messageId).at(-1) === "injected");
  expect(hub.receipt(sent.messageId)).toMatchObject({ state: "offered" });
  hub.clock.advance(10);

  const { messages } = await hub.execute("offerMessages", { agent: bob, route: "inbox", again: "when due" });
  expect(messages).toMatchObject([{ repeated: false, message: { id: sent.messageId } }]);
  const again = await hub.execute("offerMessages", { agent: bob, route: "inbox", again: "when due" });
  expect(again.messages).toEqual([]);
  hub.runtime.turn().end();

  await hub.until(() => hub.receipt(sent.messageId).state === "seen");
});

test("what a pane is told of three times and never fetches has failed, and its sender is told", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  hub.runtime.obey = "answer";
  const sent = await hub.send(ann, bob, "x".repeat(500));
  for (let told = 1; told <= 3; told++) {
    await hub.until(() => hub.runtime.agent().turns.length === told && hub.state(bob) === "idle");
    await hub.settled();
    hub.clock.advance(61_000);
    hub.timers.advance(61_000);
  }

  await hub.until(() => hub.receipt(sent.messageId).state === "failed");
  expect(hub.receipt(sent.messageId).steps.at(-1)).toMatchObject({ reason: "not_read" });
  expect((await hub.inbox(ann)).join()).toContain("never fetched");
  expect(hub.runtime.agent().turns).toHaveLength(3);
});
