import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { HUMAN_ID } from "../model/agent.js";
import { paneWait } from "../model/delivery.js";
import { RuntimeError } from "../runtime/runtime.js";

/* Whoever writes to a pane that does not take it is told so; the mail waits. */

const draft = () => new RuntimeError("HELD", "the person has a draft", { state: "draft" });
const vain = () => new RuntimeError("HELD", "it stayed in the box", { state: "draft", inVain: true });

async function openPaneHub() {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  return { hub, bob, ann: await hub.register("ann"), ...clockOf(hub) };
}

function clockOf(hub: HostedHub) {
  const turns = (count: number) =>
    hub.until(() => hub.runtime.agent().turns.length === count, `turn ${count}`);
  return {
    pass(ms: number) {
      hub.clock.advance(ms);
      hub.timers.advance(ms);
    },
    turns,
    /** The nth prompt is given back after this long. */
    async refuse(nth: number, afterMs: number, error: RuntimeError) {
      await turns(nth);
      hub.clock.advance(afterMs);
      hub.timers.advance(afterMs);
      hub.runtime.turn().refuse(error);
      await hub.until(() => hub.happened("TurnEnded").length === nth);
      await hub.until(() => hub.state(hub.runtime.agent().launch.agent.id) === "idle");
    },
    told: () => hub.happened("MessagesKeptWaiting"),
  };
}

const noticesOf = (hub: HostedHub, agent: string) =>
  hub
    .happened("MessageAccepted")
    .flatMap(({ data: { message } }) =>
      message.notice === "held" && message.to[0]?.agent === agent ? [message.content] : [],
    );

test("a pane that is not ready in time: its sender is told how long that was, and the mail waits", async () => {
  const { hub, bob, ann, pass, refuse, turns, told } = await openPaneHub();
  const sent = await hub.send(ann, bob, "hello");
  await refuse(1, 3000, draft());

  pass(26_999);
  expect(told()).toEqual([]);
  pass(1);
  await hub.until(() => told().length === 1);

  expect(noticesOf(hub, ann)).toEqual([
    `Your message ${sent.messageId} to bob waits: its pane was not ready for 30 s (a draft is in its input box). The pane gets it when it is ready; until then the receipt says held.`,
  ]);
  expect(hub.happened("MessageAccepted").at(-1)?.data.message).toMatchObject({
    type: "system",
    attention: "fyi",
    metadata: { held: [sent.messageId], to: "bob", reason: "pane_not_ready", waited_seconds: 30 },
  });
  expect(hub.receipt(sent.messageId).state).toBe("accepted");
  expect(paneWait(hub.receipt(sent.messageId).steps)).toBe("pane_not_ready");

  hub.runtime.agent().host.waiting?.(undefined);
  await turns(2);
  hub.runtime.turn().take();
  await hub.until(() => hub.ladder(sent.messageId).at(-1) === "injected");
  hub.runtime.turn().end();
  await hub.until(() => hub.receipt(sent.messageId).state === "finished");
  pass(600_000);
  expect(paneWait(hub.receipt(sent.messageId).steps)).toBeUndefined();
  expect(noticesOf(hub, ann)).toHaveLength(1);
});

test("what was put in without result is told of at once", async () => {
  const { hub, bob, ann, refuse, told } = await openPaneHub();
  const sent = await hub.send(ann, bob, "hello");
  await refuse(1, 10_000, vain());

  await hub.until(() => told().length === 1);

  expect(noticesOf(hub, ann)).toEqual([
    expect.stringContaining("to bob waits: its pane did not take it within 10 s. "),
  ]);
  expect(paneWait(hub.receipt(sent.messageId).steps)).toBe("pane_did_not_take");
  expect(hub.happened("AgentCrashed")).toEqual([]);
});

test("one that is taken in time is told of to nobody", async () => {
  const { hub, bob, ann, pass, refuse, turns, told } = await openPaneHub();
  await hub.send(ann, bob, "hello");
  await refuse(1, 3000, draft());
  pass(20_000);
  hub.runtime.agent().host.waiting?.(undefined);
  await turns(2);
  hub.runtime.turn().take();
  await hub.until(() => hub.state(bob) === "busy");

  pass(600_000);

  expect(told()).toEqual([]);
});

test("many messages to a pane that is in the way: each sender is told once, each receipt says so", async () => {
  const { hub, bob, ann, pass, refuse, told } = await openPaneHub();
  const eve = await hub.register("eve");
  const first = await hub.send(ann, bob, "one");
  await refuse(1, 3000, draft());
  pass(30_000);
  await hub.until(() => told().length === 1);

  const second = await hub.send(ann, bob, "two");
  await refuse(2, 3000, draft());
  const third = await hub.send(eve, bob, "three");
  await refuse(3, 3000, draft());
  pass(60_000);
  await hub.until(() => told().flatMap(({ data }) => data.deliveries).length === 3);

  for (const { messageId } of [first, second, third])
    expect(paneWait(hub.receipt(messageId).steps)).toBe("pane_not_ready");
  expect(noticesOf(hub, ann)).toHaveLength(1);
  expect(noticesOf(hub, eve)).toEqual([expect.stringContaining(third.messageId)]);
});

test("several that wait together are told of in one notice", async () => {
  const { hub, bob, pass, refuse, told } = await openPaneHub();
  const one = await hub.send(HUMAN_ID, bob, "one");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  const two = await hub.send(HUMAN_ID, bob, "two");
  await refuse(1, 3000, draft());
  hub.runtime.agent().host.waiting?.(undefined);
  await refuse(2, 30_000, draft());

  await hub.until(() => told().length === 1);
  pass(600_000);

  expect(noticesOf(hub, HUMAN_ID)).toEqual([
    expect.stringContaining(`Your messages ${one.messageId}, ${two.messageId} to bob wait: its pane`),
  ]);
});

test("after a restart of the hub a sender is not told again", async () => {
  const { hub, bob, ann, refuse, told } = await openPaneHub();
  await hub.send(ann, bob, "hello");
  await refuse(1, 10_000, vain());
  await hub.until(() => told().length === 1);

  const next = await hub.crash();
  await next.until(() => next.runtime.agents.length === 2 && next.runtime.agent().turns.length === 1);
  next.runtime.turn().refuse(vain());
  await next.until(() => next.happened("TurnEnded").length === 1 && next.status(bob) === "waiting");

  expect(next.happened("MessagesKeptWaiting")).toEqual([]);
  expect(noticesOf(next, ann)).toEqual([]);
});

test("what the agent read by itself meanwhile does not wait", async () => {
  const { hub, bob, ann, pass, refuse, told } = await openPaneHub();
  const sent = await hub.send(ann, bob, "hello");
  await refuse(1, 3000, draft());
  await hub.read(bob);
  await hub.ack(bob, sent.messageId);

  pass(600_000);
  await hub.until(() => hub.receipt(sent.messageId).state === "seen");

  expect(told()).toEqual([]);
});

test("what came while the pane was tried is told of as well, though it was never tried itself", async () => {
  const { hub, bob, ann, pass, refuse, turns, told } = await openPaneHub();
  await hub.send(HUMAN_ID, bob, "one");
  await turns(1);
  pass(8000);
  const sent = await hub.send(ann, bob, "two");
  await refuse(1, 2000, vain());
  expect(noticesOf(hub, ann)).toEqual([]);

  pass(28_000);
  await hub.until(() => told().flatMap(({ data }) => data.deliveries).length === 2);

  expect(noticesOf(hub, ann)).toEqual([
    expect.stringContaining(`${sent.messageId} to bob waits: its pane was not ready for 30 s`),
  ]);
});
