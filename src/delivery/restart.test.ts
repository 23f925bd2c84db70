import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { RuntimeError } from "../runtime/runtime.js";

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

test("what is found in the history that the agent replays is not given again: it is told to go on", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const known = await hub.send(ann, bob, LONG);
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  hub.runtime.replays = `user: [From agent "ann"]:\n${LONG.replace(", at", ",\n  at")}\nassistant: I look`;
  const next = await hub.crash();

  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  expect(next.runtime.turn().prompt.text).toBe(
    `(Huddle: you were cut by a restart of the hub while handling the message of "ann": "${LONG}". Go on with it where you were; what you have done already is done.)`,
  );
  next.runtime.turn().take();
  next.runtime.turn().respond();
  next.runtime.turn().end();
  await next.until(() => next.receipt(known.messageId).state === "finished");
  expect(
    next.receipt(known.messageId).steps.map(({ state, reason, stop }) => reason ?? stop ?? state),
  ).toEqual(["offered", "hub_restart", "goes_on", "injected", "seen", "end_turn"]);
});

test("what stands in its box was never sent, though its screen shows it: it is given whole", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  await hub.send(ann, bob, LONG);
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  const { tag } = hub.runtime.turn().prompt;

  hub.runtime.replays = `${tag}: ${LONG} and my own words`;
  hub.runtime.holds = (mine) => mine;
  const next = await hub.crash();

  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  expect(next.runtime.turn().prompt.text).toContain(LONG);
  expect(next.runtime.turn().prompt.text).not.toContain("Go on with it");
});

/** Bob is at a message of ann's, and has begun to answer. */
async function atWork(hub: HostedHub, content: string) {
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const sent = await hub.send(ann, bob, content);
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.until(() => hub.ladder(sent.messageId).at(-1) === "seen");
  return { bob, ann, id: sent.messageId };
}

test("what the agent had seen when the hub died is not finished: it is loaded, and goes on", async () => {
  const hub = await openHostedHub();
  const { bob, ann, id } = await atWork(hub, "Count the herons.");

  const next = await hub.crash();
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);

  expect(next.ladder(id)).toEqual(["accepted", "offered", "injected", "seen", "accepted", "offered"]);
  expect(next.runtime.turn().prompt.text).toContain(
    'while handling the message of "ann": "Count the herons."',
  );
  const more = await next.send(ann, bob, "And the bitterns.");
  next.runtime.turn().take();
  next.runtime.turn().end();
  await next.until(() => next.receipt(id).state === "finished");
  expect(next.receipt(id).steps.at(-1)).toMatchObject({ state: "finished", stop: "end_turn" });
  await next.until(() => next.runtime.agent().turns.length === 2);
  expect(next.runtime.turn().prompt.text).toContain("And the bitterns.");
  expect(next.runtime.turn().prompt.text).not.toContain("herons");
  expect(next.receipt(more.messageId).attempt).toBe(1);
});

test("an agent whose session could not be taken up is given what it was at anew, marked", async () => {
  const hub = await openHostedHub();
  const { id } = await atWork(hub, LONG);

  hub.runtime.resumes = false;
  const next = await hub.crash();
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);

  const { text } = next.runtime.turn().prompt;
  expect(text).toContain("may have reached you before");
  expect(text).toContain(`[From agent "ann"]:\n${LONG}`);
  expect(text).not.toContain("you were cut");
  expect(next.receipt(id).steps.at(-1)).toMatchObject({ state: "offered", attempt: 2 });
  expect(next.receipt(id).steps.at(-1)).not.toHaveProperty("reason");
});

test("long words that its history does not show are given whole, although it goes on with its session", async () => {
  const long = "Every branch. ".repeat(20);
  const hub = await openHostedHub();
  await atWork(hub, long);

  hub.runtime.replays = "something else";
  const next = await hub.crash();
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);

  expect(next.runtime.turn().prompt.text).toContain(long.trim());
});

test("a message under which the hub dies three times has failed, and its sender is told", async () => {
  let hub = await openHostedHub();
  const { ann, bob, id } = await atWork(hub, "Divide by zero.");
  for (let death = 1; death < 3; death++) {
    hub = await hub.crash();
    await hub.until(() => hub.runtime.agents.length === death + 1 && hub.runtime.agent().turns.length === 1);
  }

  hub = await hub.crash();

  expect(hub.receipt(id)).toMatchObject({ state: "failed" });
  expect(hub.receipt(id).steps.at(-1)).toMatchObject({ reason: "hub_restart" });
  const [told] = hub.views.inbox.open(ann);
  expect(hub.views.messages.bySeq(told?.seq ?? 0)?.data.message.content).toBe(
    `Your message "Divide by zero." (${id}) to bob was not finished: the hub itself ended without warning each of the 3 times that the agent was at it.`,
  );
  expect(hub.state(bob)).toBe("dormant");
  expect(hub.runtime.agents).toHaveLength(3);
});

test("what the agent was at fails with it when it cannot be started any more", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { ann, id } = await atWork(hub, "Count the herons.");
  const broken = new RuntimeError("BACKEND_FAILED", "it is broken");
  hub.runtime.failing = [broken, broken, broken, broken];

  const next = await hub.crash();
  for (let start = 1; start < 4; start++) {
    await next.until(() => next.happened("AgentCrashed").length === start);
    next.timers.advance(30_000);
  }

  await next.until(() => next.receipt(id).state === "failed");
  expect(next.views.inbox.depth(ann)).toBe(1);
});

test("when the hub stops in a turn, what the agent had seen is not finished either", async () => {
  const hub = await openHostedHub();
  const { id } = await atWork(hub, "Count the herons.");

  const ended = hub.hosting.end("now");
  await ended;
  await hub.until(() => hub.ladder(id).at(-1) === "accepted");
  const next = await hub.crash();

  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  expect(next.runtime.turn().prompt.text).toContain("you were cut by a restart of the hub");
  expect(next.receipt(id).steps.map(({ reason, state }) => reason ?? state)).toEqual([
    "offered",
    "injected",
    "seen",
    "hub_stop",
    "goes_on",
  ]);
});

test("a pane that went on without the hub is followed to the end of its turn", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { bob, id } = await atWork(hub, "Count the herons.");

  hub.runtime.regains = true;
  const next = await hub.crash();
  await next.until(() => next.state(bob) === "busy");
  expect(next.receipt(id).state).toBe("seen");
  await next.until(() => next.runtime.agent().turns.length === 1);
  next.runtime.turn().end();

  await next.until(() => next.state(bob) === "idle");
  expect(next.ladder(id)).toEqual(["accepted", "offered", "injected", "seen", "finished"]);
  expect(next.receipt(id).steps.at(-1)).toMatchObject({ stop: "end_turn" });
});

test("a pane that took its line just before the hub died is followed, too", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "Count the herons.");
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  hub.runtime.regains = true;
  const next = await hub.crash();
  await next.until(() => next.runtime.agent().turns.length === 1 && next.state(bob) === "busy");
  next.runtime.turn().respond();
  next.runtime.turn().end();

  await next.until(() => next.receipt(sent.messageId).state === "finished");
  expect(next.ladder(sent.messageId)).toEqual(["accepted", "offered", "injected", "seen", "finished"]);
});

test("a pane whose screen does not tell is told to go on by a line", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id } = await atWork(hub, "Count the herons.");

  const next = await hub.crash();
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);

  expect(next.runtime.turn().prompt.line).toBe(
    `MSG_ANN_${id.slice(-8)}: the hub was restarted while you handled this message; go on with it where you were.`,
  );
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
