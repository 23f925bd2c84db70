import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";

const LONG = "Please look at the parser, at every branch of it, and say which of them nobody tests.";

test("after the hub died in a turn, what the agent had not seen comes again, marked", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const sent = await hub.send(ann, bob, LONG);
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  await hub.until(() => hub.ladder(sent.messageId).at(-1) === "injected");

  hub.runtime.replays = "something else";
  const next = await hub.crash();

  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  expect(next.runtime.agent().launch.resume).toBe(`session-of-${bob}`);
  expect(next.runtime.turn().prompt.text).toContain("may have reached you before");
  expect(next.receipt(sent.messageId).steps.map(({ state, reason }) => reason ?? state)).toEqual([
    "offered",
    "injected",
    "hub_restart",
    "offered",
  ]);
  expect(next.receipt(sent.messageId).attempt).toBe(2);
});

test("what is found in the history that the agent replays is finished, and not given again", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const known = await hub.send(ann, bob, LONG);
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  hub.runtime.replays = `user: [From agent "ann"]:\n${LONG.replace(", at", ",\n  at")}\nassistant: I look`;
  const next = await hub.crash();

  await next.until(() => next.state(bob) === "idle");
  expect(next.runtime.agent().turns).toHaveLength(0);
  expect(next.receipt(known.messageId)).toMatchObject({ state: "finished" });
  expect(next.receipt(known.messageId).steps.at(-1)).toMatchObject({ stop: "hub_restart" });
});

test("what the agent had seen when the hub died is finished, and nothing is started for it", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "work");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.until(() => hub.ladder(sent.messageId).at(-1) === "seen");

  const next = await hub.crash();

  expect(next.receipt(sent.messageId).steps.at(-1)).toMatchObject({ state: "finished", stop: "hub_restart" });
  expect(next.state(bob)).toBe("dormant");
  expect(next.status(bob)).toBe("dormant");
  expect(next.runtime.agents).toHaveLength(1);
});

test("mail that waited over the restart loads its agent", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  hub.timers.advance(15 * 60_000);
  await hub.until(() => hub.status(bob) === "dormant");
  hub.runtime.holdStarts = true;
  const sent = await hub.send("human", bob, "hello");
  await hub.until(() => hub.state(bob) === "starting");

  hub.runtime.obey = "answer";
  hub.runtime.holdStarts = false;
  const next = await hub.crash();

  await next.until(() => next.receipt(sent.messageId).state === "finished");
});

test("each start has a token of its own, and the one before is dead", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  hub.timers.advance(15 * 60_000);
  await hub.until(() => hub.state(bob) === "dormant");
  hub.runtime.obey = "answer";
  await hub.send("human", bob, "hello");
  await hub.until(() => hub.state(bob) === "idle");

  const credentials = hub.db.prepare("SELECT count(*) AS n FROM credential WHERE agent = ?").get(bob);
  expect(credentials).toEqual({ n: 1 });
});

test("when the hub stops it lets turns end; what was cut waits for the next start", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const { id: carol } = await hub.spawn({ name: "carol" });
  hub.runtime.obey = "take";
  const done = await hub.send("human", bob, "work");
  await hub.until(() => hub.state(bob) === "busy");
  const cut = await hub.send("human", carol, "work as well");
  await hub.until(() => hub.state(carol) === "busy");

  const ended = hub.hosting.end("drain");
  hub.runtime.agents[0]?.turns[0]?.end();
  await hub.until(() => hub.receipt(done.messageId).state === "finished");
  const late = await hub.send("human", bob, "late");
  hub.timers.advance(30_000);
  await ended;
  await hub.settled();

  expect(hub.receipt(cut.messageId)).toMatchObject({ state: "accepted" });
  expect(hub.receipt(late.messageId)).toMatchObject({ state: "accepted" });
  expect(hub.status(bob)).toBe("dormant");
  expect(hub.runtime.agents.every(({ stopped }) => stopped !== undefined)).toBe(true);
});

test("a pane is taken up again when the hub starts, with the token that it has", async () => {
  const runtime = createScriptedRuntime("tmux");
  const hub = await openHostedHub({ runtime });
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  hub.timers.advance(60 * 60_000);
  expect(hub.state(bob)).toBe("idle");

  const next = await hub.crash();

  await next.until(() => next.state(bob) === "idle");
  expect(runtime.agents).toHaveLength(2);
  expect(next.happened("CredentialIssued")).toEqual([]);
});
