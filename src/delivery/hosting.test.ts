import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { refusal } from "../../test/fakes/refusal.js";
import { tagOf } from "../model/message-tag.js";
import { RuntimeError } from "../runtime/runtime.js";

test("a message to an idle agent is offered, injected, seen and finished, in that order, and only then answered", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  await hub.until(() => hub.state(bob) === "idle");

  const { messageId } = await hub.send(ann, bob, "Is --auth ready?");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  const turn = hub.runtime.turn();
  expect(turn.prompt.text).toBe(
    `[From agent "ann"]:\nIs --auth ready?\n[end ${tagOf({ fromName: "ann", id: messageId })} mark]`,
  );
  expect(hub.ladder(messageId)).toEqual(["accepted", "offered"]);
  turn.take();
  await hub.until(() => hub.ladder(messageId).at(-1) === "injected");
  expect(hub.status(bob)).toBe("busy");
  turn.respond();
  await hub.until(() => hub.ladder(messageId).at(-1) === "seen");
  turn.end({ text: "It is." });
  await hub.until(() => hub.state(bob) === "idle");

  expect(hub.receipt(messageId).steps).toMatchObject([
    { state: "offered", route: "runtime", attempt: 1, turn: turn.prompt.turn },
    { state: "injected", evidence: "acp_prompt" },
    { state: "seen", evidence: "output" },
    { state: "finished", stop: "end_turn", with: 0 },
  ]);
  expect(hub.happened("TurnEnded").map(({ data }) => data.text)).toEqual(["It is."]);
  await hub.until(() => hub.status(bob) === "idle");
  expect(hub.errors).toEqual([]);
});

test("a new agent gets its first message once it has started", async () => {
  const hub = await openHostedHub();

  const { id } = await hub.spawn({ message: "begin" });

  await hub.until(() => hub.runtime.agent().turns.length === 1);
  expect(hub.runtime.turn().prompt.text).toBe("begin");
  expect(hub.views.roster.byId(id)).toMatchObject({
    name: "scripted",
    depth: 0,
    runtime: "acp",
    parent: null,
  });
});

test("mail that comes while an agent is busy waits, and the next turn carries all of it in order", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  hub.runtime.obey = "take";
  await hub.send(ann, bob, "one");
  await hub.until(() => hub.state(bob) === "busy");

  const two = await hub.send(ann, bob, "two");
  const three = await hub.send("human", bob, "three");
  const four = await hub.send(ann, bob, "four", { attention: "fyi" });
  const end = (fromName: string, id: string) => `[end ${tagOf({ fromName, id })} mark]`;
  expect(hub.runtime.agent().turns).toHaveLength(1);
  hub.runtime.turn().end();

  await hub.until(() => hub.runtime.agent().turns.length === 2);
  expect(hub.runtime.turn().prompt.text).toBe(
    [
      `[From agent "ann"]:\ntwo\n${end("ann", two.messageId)}`,
      `[From user]:\nthree\n${end("user", three.messageId)}`,
      `[From agent "ann"]:\nfour\n${end("ann", four.messageId)}`,
    ].join("\n\n"),
  );
});

test("an fyi starts no turn and loads nothing", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  await hub.until(() => hub.state(bob) === "idle");

  await hub.send(ann, bob, "by the way", { attention: "fyi" });
  await hub.settled();

  expect(hub.state(bob)).toBe("idle");
  expect(hub.runtime.agent().turns).toHaveLength(0);
});

test("an interrupt cancels the turn; what was seen is named in the next prompt, what was not comes again", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const first = await hub.send(ann, bob, "write the tests");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.until(() => hub.ladder(first.messageId).at(-1) === "seen");

  await hub.send(ann, bob, "stop, the API changed", { attention: "interrupt" });

  await hub.until(() => hub.runtime.agent().turns.length === 2);
  expect(hub.runtime.agent().interrupts).toBe(1);
  expect(hub.receipt(first.messageId)).toMatchObject({ state: "finished" });
  expect(hub.receipt(first.messageId).steps.at(-1)).toMatchObject({ stop: "cancelled" });
  expect(hub.runtime.turn().prompt.text).toContain(
    'you were interrupted while handling the message of "ann": "write the tests"',
  );
  expect(hub.runtime.turn().prompt.text).toContain('[From agent "ann"]:\nstop, the API changed');

  hub.runtime.turn().take();
  await hub.until(() => hub.state(bob) === "busy");
  await hub.send(ann, bob, "and again", { attention: "interrupt" });
  await hub.until(() => hub.runtime.agent().turns.length === 3);
  expect(hub.runtime.turn().prompt.text).toContain(
    'may have reached you before.)\n[From agent "ann"]:\nstop, the API changed',
  );
});

test("what an interrupted agent's session is known to have is named, and not given again, seen or not", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const long = `${"Look at the parser, at every branch of it. ".repeat(5)}Now!`;
  const first = await hub.send(ann, bob, long);
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  await hub.until(() => hub.ladder(first.messageId).at(-1) === "injected");
  hub.runtime.heeds = false;
  await hub.send(ann, bob, "stop", { attention: "interrupt" });
  await hub.until(() => hub.runtime.agent().interrupts === 1);

  hub.runtime.turn().end({ stop: "cancelled", text: "", kept: true });

  await hub.until(() => hub.runtime.agent().turns.length === 2);
  const { text } = hub.runtime.turn().prompt;
  expect(text).toContain('you were interrupted while handling the message of "ann": "Look at the parser');
  expect(text).not.toContain("Now!");
  expect(hub.receipt(first.messageId).steps.at(-1)).toMatchObject({ state: "finished", stop: "cancelled" });
});

test("an agent that forgets what it was interrupted at is told it whole, once, until a turn of it ends", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  hub.runtime.heeds = false;
  const interrupt = async (words: string) => {
    const turn = hub.runtime.turn();
    turn.take();
    turn.respond();
    const before = hub.runtime.agent().interrupts;
    await hub.until(() => hub.state(bob) === "busy");
    await hub.send(ann, bob, words, { attention: "interrupt" });
    await hub.until(() => hub.runtime.agent().interrupts === before + 1);
    const turns = hub.runtime.agent().turns.length;
    turn.end({ stop: "cancelled", text: "", kept: false });
    await hub.until(() => hub.runtime.agent().turns.length === turns + 1);
    return hub.runtime.turn().prompt.text;
  };
  await hub.send(ann, bob, "count the herons");
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  const second = await interrupt("count the bitterns");
  expect(second.match(/you were interrupted/g)).toHaveLength(1);
  expect(second.match(/count the herons/g)).toHaveLength(1);
  const third = await interrupt("count the storks");
  expect(third.match(/count the (herons|bitterns|storks)/g)).toHaveLength(3);
  hub.runtime.turn().take();
  hub.runtime.turn().end();
  await hub.until(() => hub.state(bob) === "idle");
  await hub.send(ann, bob, "rest");
  await hub.until(() => hub.runtime.agent().turns.length === 4);
  expect(hub.runtime.turn().prompt.text).not.toContain("interrupted");
});

test("an open wait takes an interrupt, and the turn goes on", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  hub.runtime.obey = "take";
  const { messageId } = await hub.send(ann, bob, "work");
  await hub.until(() => hub.ladder(messageId).at(-1) === "injected");
  const wait = hub.inboxReader.read({ agent: bob, waitMs: 60_000 });

  await hub.send(ann, bob, "look", { attention: "interrupt" });

  expect((await wait).messages.map(({ message }) => message.content)).toEqual(["look"]);
  await hub.settled();
  expect(hub.runtime.agent().interrupts).toBe(0);
  expect(hub.state(bob)).toBe("busy");
});

test("an interrupt for an idle agent does not cut the turn that carries it, however slow the commits are", async () => {
  const hub = await openHostedHub({ journalLimits: { batch: { commands: 1, milliseconds: 5 } } });
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  hub.runtime.obey = "take";

  const sent = await hub.send("human", bob, "look", { attention: "interrupt" });
  await hub.until(() => hub.ladder(sent.messageId).at(-1) === "injected");
  await hub.settled();

  expect(hub.state(bob)).toBe("busy");
  expect(hub.runtime.agent().interrupts).toBe(0);
});

test("a crash fails what the agent was at, and the unseen waits for the restart", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const seen = await hub.send(ann, bob, "seen");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.until(() => hub.ladder(seen.messageId).at(-1) === "seen");
  const unseen = await hub.send(ann, bob, "unseen");
  hub.runtime.agent().exit(3);

  await hub.until(() => hub.state(bob) === "backoff");
  await hub.until(() => hub.status(bob) === "error");
  expect(hub.receipt(seen.messageId)).toMatchObject({ state: "failed" });
  expect((await hub.inbox(ann)).join()).toContain("was not finished: the agent died while it was at it");
  hub.runtime.obey = "answer";
  hub.timers.advance(1000);
  await hub.until(() => hub.runtime.agents.length === 2 && hub.state(bob) === "idle");
  expect(hub.receipt(unseen.messageId)).toMatchObject({ state: "finished" });
  expect(hub.runtime.agent().launch.resume).toBe(`session-of-${bob}`);
});

test("the fourth failure in a row fails the waiting mail, and the next message tries again", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  const { messageId } = await hub.send(ann, bob, "hello");
  for (const pause of [1000, 5000, 30_000]) {
    await hub.until(() => hub.runtime.agent().turns.length === 1 && hub.state(bob) === "offering");
    const started = hub.runtime.agents.length;
    hub.runtime.agent().exit();
    await hub.until(() => hub.state(bob) === "backoff");
    hub.timers.advance(pause);
    await hub.until(() => hub.runtime.agents.length === started + 1);
  }
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.agent().exit();

  await hub.until(() => hub.receipt(messageId).state === "failed");
  expect(hub.receipt(messageId).steps.at(-1)).toMatchObject({ reason: "not_started" });
  expect(hub.state(bob)).toBe("dormant");
  expect((await hub.inbox("human")).join()).toContain("Agent bob, which you spawned, has failed");

  hub.runtime.obey = "answer";
  const again = await hub.send(ann, bob, "hello?");
  await hub.until(() => hub.receipt(again.messageId).state === "finished");
});

test("an agent that was idle for long is unloaded; the next message loads it with its session, and stops nobody", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const { id: carol } = await hub.spawn({ name: "carol" });
  await hub.until(() => hub.state(bob) === "idle" && hub.state(carol) === "idle");
  hub.timers.advance(15 * 60_000);
  await hub.until(() => hub.state(bob) === "dormant" && hub.state(carol) === "dormant");
  await hub.until(() => hub.status(bob) === "dormant");
  hub.runtime.obey = "answer";

  await hub.send("human", bob, "wake up");
  await hub.until(() => hub.state(bob) === "idle");
  expect(hub.runtime.agent().launch).toMatchObject({ agent: { id: bob }, resume: `session-of-${bob}` });
  await hub.send("human", carol, "you too");
  await hub.until(() => hub.state(carol) === "idle");
  expect(hub.state(bob)).toBe("idle");
});

test("the token is in a file that only this user can read, in no argument, and dies with the agent", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.until(() => hub.state(bob) === "idle");
  const { launch } = hub.runtime.agent();
  const file = launch.bridge.at(-1) ?? "";

  expect(launch.bridge.slice(0, -1)).toEqual(["node", "mcp-bridge.cjs", "--tools", "huddle", "--identity"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(launch.folder).mode & 0o777).toBe(0o700);
  const identity = JSON.parse(readFileSync(file, "utf8")) as { token: string; name: string; url: string };
  expect(identity).toMatchObject({ name: "bob", url: "http://127.0.0.1:9" });
  expect(JSON.stringify(launch)).not.toContain(identity.token);

  expect(await hub.stops.kill({ agent: bob, by: "human", waitMs: 10_000 })).toEqual({ killed: true });
  expect(existsSync(launch.folder)).toBe(false);
  expect(hub.views.roster.byId(bob)?.goneAt).not.toBeNull();
});

test("an agent that does not start is gone again, and whoever asked is told why", async () => {
  const hub = await openHostedHub();
  hub.runtime.failing.push(new RuntimeError("BACKEND_MISSING", '"scripted" is not installed.'));

  const error = await refusal(hub.spawn({ name: "bob", message: "hello" }));

  expect(error).toMatchObject({ code: "BACKEND_MISSING" });
  expect(error.message).toContain("is not installed");
  expect(hub.views.roster.byName("bob", "main")).toBeUndefined();
  expect(hub.hosting.driver("bob")).toBeUndefined();
});

test("a shutdown lets the turn end, and takes no further one", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const ann = await hub.register("ann");
  hub.runtime.obey = "take";
  const first = await hub.send(ann, bob, "one");
  await hub.until(() => hub.state(bob) === "busy");
  const second = await hub.send(ann, bob, "two");

  expect(await hub.stops.shutdown({ agent: bob, by: "human", waitMs: 0 })).toEqual({ acknowledged: true });
  expect(hub.state(bob)).toBe("busy");
  hub.runtime.turn().end();

  await hub.until(() => hub.views.roster.byId(bob)?.goneAt !== null);
  expect(hub.receipt(first.messageId).state).toBe("finished");
  expect(hub.receipt(second.messageId)).toMatchObject({ state: "failed" });
  expect(await refusal(hub.sendTo(ann, "bob", "three"))).toMatchObject({ code: "AGENT_GONE" });
});
