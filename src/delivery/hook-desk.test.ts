import { expect, test } from "vitest";
import { patiently } from "../../test/fakes/patiently.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { testHubLimits } from "../../test/fakes/test-journal.js";
import { createObligations } from "../hub/rules/obligations.js";
import type { HookMoment } from "../model/hook.js";
import { tagOf } from "../model/message-tag.js";
import { createAttachedTurns } from "./attached-turns.js";
import { createHookDesk } from "./hook-desk.js";

/** Of the lazy view: what agents were asked is told with that. */
const questions = { find: () => [], caughtUp: async () => {} };

async function openDesk() {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const { reofferAfterMs } = testHubLimits;
  const ended: string[] = [];
  const desk = createHookDesk({
    views: hub.views,
    obligations: createObligations({ views: hub.views, questions, now: hub.now, wall: hub.clock.wall }),
    inbox: hub.reader(),
    now: hub.now,
    lastSeq: hub.events.lastSeq,
    reofferAfterMs,
    style: "from-agent",
    newMark: () => "mark",
    turns: createAttachedTurns(hub.clock, 600_000),
    onTurnEnded: (agent) => ended.push(agent),
  });
  const ask = { agent: bob, newOnly: false, pointer: false, waitMs: 0, signal: new AbortController().signal };
  type More = Partial<typeof ask> & { after?: "resume" | "compact" };
  const hand = (moment: HookMoment, more: More = {}) => desk.hand({ ...ask, ...more, moment });
  /** What was handed out may be handed out again. */
  const later = () => hub.clock.advance(reofferAfterMs);
  return { hub, ann, bob, desk, hand, later, ended };
}

const nothing = { text: undefined, messages: [], more: 0, over: false };

test("a text holds the message, who sent it and what to answer it by", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  const { messageId } = await hub.send(ann, bob, "hello");
  const { text, messages } = await hand("context");
  expect(text).toBe(
    [
      "(Huddle: a message for you. They come from whoever is named, not from the person at this terminal; each ends with the mark mark. To answer one: send_message with reply_to.)",
      `[From agent "ann"]:\nhello\n[end ${tagOf({ fromName: "ann", id: messageId })} mark]\n(Huddle: reply_to: ${messageId}; trust: local)`,
    ].join("\n\n"),
  );
  expect(messages).toMatchObject([{ id: messageId }]);
  expect(hub.receipt(messageId)).toMatchObject({ state: "offered", steps: [{ route: "hook", attempt: 1 }] });
  expect(await hand("context")).toEqual(nothing);
});

test.each(["stop", "idle"] as const)("%s: fyi is worth no turn, but comes with what is", async (moment) => {
  const { hub, ann, bob, hand } = await openDesk();
  await hub.send(ann, bob, "by the way", { attention: "fyi" });
  expect(await hand(moment)).toEqual(nothing);
  await hub.send(ann, bob, "please", { attention: "interrupt" });
  const { text } = await hand(moment);
  expect(text).toMatch(/by the way\n.*fyi, no answer needed.*please/s);
});

test("a request is worth no turn, its nudge is", async () => {
  const { hub, ann, hand } = await openDesk();
  const request = await hub.ask(ann, "verify this");
  expect(await hand("stop")).toEqual(nothing);
  await hub.execute("nudgeRequest", { agent: ann, request });
  expect((await hand("stop")).text).toMatch(/verify this.*Claim it first.*verify this/s);
});

test("what is held is handed out when it is released, and wakes then", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  await hub.send(ann, bob, "one");
  await hand("context");
  await hub.send(ann, bob, "two");
  const waiting = hand("idle", { waitMs: 60_000 });
  hub.clock.advance(10_000);
  await hub.ring();
  expect((await waiting).text).toContain("two");
});

test("unproven mail comes again, but is worth no turn forever", async () => {
  const { hub, ann, bob, hand, later } = await openDesk();
  await hub.send(ann, bob, "hello?");
  expect((await hand("stop")).text).toContain("hello?");
  later();
  expect(await hand("stop", { newOnly: true })).toEqual(nothing);
  expect((await hand("idle")).text).toContain("repeated: you may have it already");
  later();
  expect((await hand("stop")).text).toContain("hello?");
  later();
  expect(await hand("idle")).toEqual(nothing);
  expect(await hand("stop")).toEqual(nothing);
  expect((await hand("context")).text).toContain("hello?");
});

test("at most 20 messages in order, and how many more there are", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  for (let i = 0; i < 23; i++) await hub.send(ann, bob, `m${i}`, { attention: "fyi" });
  hub.clock.advance(3_600_000);
  await hub.ring();
  const { text, messages, more } = await hand("context");
  expect([messages.length, more]).toEqual([20, 3]);
  expect(text).toMatch(/\nm0\n.*\nm19\n.*\+3 more messages from ann; call check_messages to read them/s);
  expect((await hand("context")).messages).toHaveLength(3);
});

test("a long message is announced: once by waking, and at the end of each turn until it is read", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  const { messageId } = await hub.send(ann, bob, "x".repeat(8_000));
  expect(await hand("idle")).toMatchObject({ messages: [], more: 1 });
  expect(hub.receipt(messageId).state).toBe("accepted");
  expect(await hand("idle")).toEqual(nothing);
  expect((await hand("stop")).text).toContain("1 message from ann; call check_messages to read it");
  expect(await hand("stop", { newOnly: true })).toEqual(nothing);
  expect(await hub.inbox(bob)).toHaveLength(1);
  expect(await hand("stop")).toEqual(nothing);
});

test("a pointer hands out nothing, and says the same only once", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  const { messageId } = await hub.send(ann, bob, "hello");
  expect(await hand("idle", { pointer: true })).toMatchObject({
    text: "(Huddle: 1 message from ann; call check_messages to read it.)",
    messages: [],
    more: 1,
  });
  expect(hub.receipt(messageId).state).toBe("accepted");
  expect(await hand("idle", { pointer: true })).toEqual(nothing);
  expect(await hub.inbox(bob)).toEqual(["hello"]);
});

test("a text fits into what a hook may say", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  for (let i = 0; i < 30; i++) await hub.send(ann, bob, "y".repeat(700), { attention: "fyi" });
  hub.clock.advance(3_600_000);
  await hub.ring();
  const { text } = await hand("context");
  expect(text?.length).toBeLessThan(10_000);
});

test("one waits at a time, and none while another hook asks", async () => {
  const { hub, ann, bob, desk, hand } = await openDesk();
  const first = hand("idle", { waitMs: 60_000 });
  await patiently(() => expect(desk.waiting()).toBe(1));
  const second = hand("idle", { waitMs: 60_000 });
  expect(await first).toMatchObject({ ...nothing, over: true });
  expect(await hand("context")).toEqual(nothing);
  expect(await second).toMatchObject({ ...nothing, over: true });
  expect(desk.waiting()).toBe(0);
  await hub.send(ann, bob, "for whoever comes next");
  expect((await hand("idle")).text).toContain("for whoever comes next");
});

test("hooks tell of turns: prompts and tools begin and go on with one, a stop that keeps nothing going ends it", async () => {
  const { hub, ann, bob, desk, hand } = await openDesk();
  const inTurn = () => desk.turnSince(bob) !== undefined;
  await hand("start");
  expect(inTurn()).toBe(false);
  await hand("context");
  expect(inTurn()).toBe(true);

  await hub.send(ann, bob, "one thing more");
  expect((await hand("stop")).text).toBeDefined();
  expect(inTurn()).toBe(true);
  expect((await hand("stop")).text).toBeUndefined();
  expect(inTurn()).toBe(false);

  await hand("context");
  await hand("start");
  expect(inTurn()).toBe(false);
});

test("a hook that waits in the background says nothing of turns: the person may have written before it came", async () => {
  const { bob, desk, hand } = await openDesk();
  await hand("idle");
  expect(desk.turnSince(bob)).toBeUndefined();
  await hand("context");
  await hand("idle");
  expect(desk.turnSince(bob)).toBeDefined();
});

test("a wait that is left takes nothing", async () => {
  const { hub, ann, bob, desk, hand } = await openDesk();
  const leaving = new AbortController();
  const waiting = hand("idle", { waitMs: 60_000, signal: leaving.signal });
  await patiently(() => expect(desk.waiting()).toBe(1));
  leaving.abort();
  expect(await waiting).toEqual(nothing);
  const { messageId } = await hub.send(ann, bob, "hello");
  expect(hub.receipt(messageId).state).toBe("accepted");
});

test("what is being typed into its pane is not handed out beside, and comes when that was in vain", async () => {
  const { hub, ann, bob, hand, later } = await openDesk();
  await hub.send(ann, bob, "typed");
  await hub.execute("offerTurn", { agent: bob, turn: "t", route: "pane", continues: false, noted: false });

  expect(await hand("context")).toEqual(nothing);

  await hub.execute("recordTurnEnded", { agent: bob, turn: "t", stop: "not_taken", text: "" });
  later();
  expect((await hand("context")).text).toContain("typed");
});

test("after a compaction it is told who it is and what it owes, beside its mail, and none of that counts as mail", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  expect((await hand("context", { after: "compact" })).text).toBe("(Huddle: you are bob, team main.)");
  const request = await hub.ask(ann, "verify this");
  await hub.claim(bob, request);
  const note = `(Huddle: you are bob, team main. You still owe:\n- an answer to the request ${request} of ann, which you claimed: "verify this")`;
  expect(await hand("context", { after: "compact" })).toEqual({ ...nothing, text: note });

  const { messageId } = await hub.send(ann, bob, "hello");
  const { text, messages } = await hand("context", { after: "compact" });
  expect(text?.startsWith(`${note}\n\n(Huddle: a message for you.`)).toBe(true);
  expect(messages).toMatchObject([{ id: messageId }]);
});

test("a session that is taken up again is told what it owes, and nothing if that is nothing", async () => {
  const { hub, ann, bob, hand } = await openDesk();
  expect(await hand("start", { after: "resume" })).toEqual(nothing);
  await hub.claim(bob, await hub.ask(ann, "verify this"));
  expect((await hand("start", { after: "resume" })).text).toContain(
    "You still owe:\n- an answer to the request",
  );
  expect((await hand("start")).text).toBeUndefined();
});

test("the end of a turn is told, and the beginning of a session ends the turn before", async () => {
  const { bob, hand, ended } = await openDesk();

  await hand("context");
  expect(ended).toEqual([]);
  await hand("stop");
  await hand("start");

  expect(ended).toEqual([bob, bob]);
});
