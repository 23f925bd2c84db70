import { expect, test } from "vitest";
import type { Delivery, Mail, Message } from "./bubble/mail.js";
import { type ChatContents, listRows } from "./chat-rows.js";
import type { TurnShown } from "./turn/turn-shown.js";

const own = { id: "id-lead", name: "lead" };
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 3, 14, 0, seconds)).toISOString();

function message(id: string, seconds: number, more: Partial<Message> = {}): Message {
  return {
    id,
    seq: seconds,
    type: "message",
    from: "tax",
    to: "lead",
    content: id,
    timestamp: at(seconds),
    conversation: id,
    hop: 0,
    attention: "queue",
    source: "agent",
    fromSession: "id-tax",
    trust: "local",
    ...more,
  };
}

function mail(id: string, seconds: number, more: Partial<Message> = {}, injected?: number): Mail {
  const steps: Delivery["steps"] = [{ state: "accepted", at: at(seconds) }];
  if (injected !== undefined) steps.push({ state: "injected", at: at(injected) });
  const state = injected === undefined ? "accepted" : "injected";
  return {
    message: message(id, seconds, more),
    deliveries: [{ to: "lead", state, at: at(seconds), evidence: null, reason: null, steps }],
    recipients: 1,
  };
}

const sentBy = { from: "lead", fromSession: "id-lead", to: "tax" };

function turn(id: string, started: number, ended: number | null, more: Partial<TurnShown> = {}): TurnShown {
  return {
    turn: id,
    started: at(started),
    ended: ended === null ? null : at(ended),
    stop: ended === null ? null : "end_turn",
    messages: [],
    text: "",
    thoughts: "",
    tools: [],
    plan: [],
    usage: null,
    state: ended === null ? "running" : "ended",
    ...more,
  };
}

function keys(contents: Partial<ChatContents>): string[] {
  const all = {
    own,
    mail: [],
    turns: [],
    older: { mail: false, turns: false },
    unsent: [],
    turnCount: undefined,
    now: 0,
  };
  return listRows({ ...all, ...contents }).map(({ key }) => key);
}

test("what it was told stands before what it did, in one column", () => {
  const rows = keys({
    mail: [mail("a", 1, {}, 2), mail("b", 20, {}, 21)],
    turns: [turn("t1", 2, 10), turn("t2", 21, null)],
  });
  expect(rows).toEqual(["m:a", "t:t1", "m:b", "t:t2"]);
});

test("late mail stands where it was delivered", () => {
  const rows = keys({
    mail: [mail("late", 1, {}, 30), mail("a", 5, {}, 6)],
    turns: [turn("t1", 6, 20), turn("t2", 30, null)],
  });
  expect(rows).toEqual(["m:a", "t:t1", "m:late", "t:t2"]);
});

test("a held message stands in its place", () => {
  expect(keys({ mail: [mail("held", 1), mail("a", 5, {}, 6)] })).toEqual(["m:held", "m:a"]);
});

test("mail that it sent in a turn is inside that turn, else a row of its own", () => {
  const rows = listRows({
    own,
    mail: [mail("in", 5, sentBy), mail("out", 50, sentBy)],
    turns: [turn("t1", 2, 10)],
    older: { mail: false, turns: false },
    unsent: [],
    turnCount: undefined,
    now: 0,
  });
  expect(rows.map(({ key }) => key)).toEqual(["t:t1", "m:out"]);
  expect(rows[0]).toMatchObject({ sent: [{ message: { id: "in" } }] });
});

test("turns that reach further back than the messages wait for them", () => {
  const contents = { mail: [mail("a", 20, {}, 20)], turns: [turn("old", 1, 2), turn("new", 21, 22)] };
  expect(keys({ ...contents, older: { mail: true, turns: false } })).toEqual(["m:a", "t:new"]);
  expect(keys(contents)).toEqual(["t:old", "m:a", "t:new"]);
});

test("what it sent is shown, however much later all of it was delivered", () => {
  const rows = keys({
    mail: [mail("a", 1, sentBy, 60), mail("b", 2, sentBy, 60)],
    older: { mail: true, turns: false },
  });
  expect(rows).toEqual(["m:a", "m:b"]);
});

test("a turn keeps its row when the journal has it", () => {
  expect(keys({ turns: [turn("t1", 1, null)] })).toEqual(keys({ turns: [turn("t1", 1, 9)] }));
});

test("an interrupted turn says by whom, and what came again", () => {
  const stop = mail("stop", 8, { source: "user", from: "user", attention: "interrupt" }, 11);
  const [first] = listRows({
    own,
    mail: [stop],
    turns: [
      turn("t1", 2, 10, { stop: "cancelled", messages: ["x", "y"] }),
      turn("t2", 11, 12, { messages: ["y", "stop"] }),
    ],
    older: { mail: false, turns: false },
    unsent: [],
    turnCount: { turn: "t2", count: 13 },
    now: 0,
  });
  expect(first).toMatchObject({
    number: 12,
    end: {
      head: "Interrupted by you",
      rest: "after 8.0 s. It had seen 1 message; 1 other came again in turn 13.",
    },
  });
});

test("the first row of a day names it", () => {
  const rows = listRows({
    own,
    mail: [mail("a", 1), mail("b", 2), mail("next", 86_400 * 2)],
    turns: [],
    older: { mail: false, turns: false },
    unsent: [],
    turnCount: undefined,
    now: Date.parse(at(86_400 * 2)),
  });
  expect(rows.map(({ day }) => day)).toEqual(["3 March", undefined, "Today"]);
});
