import { expect, test } from "vitest";
import { createTestTimers } from "../../../test/fakes/test-timers.js";
import { type LiveFrame, liveFrame } from "../../contract/http/live.js";
import { createLiveTurns } from "../../delivery/live/live-turns.js";
import type { HubEvent } from "../../model/events.js";
import type { TurnStop } from "../../model/turn.js";
import { startLiveFlow } from "./live-flow.js";

function openYard() {
  const timers = createTestTimers();
  let commit: (events: readonly HubEvent[]) => void = () => {};
  let [seq, turnsBegun] = [0, 0];
  const turns = createLiveTurns({
    onCommitted(listener) {
      commit = listener;
      return () => {};
    },
    wall: () => 1_000_000 + timers.now(),
    now: timers.now,
  });
  const happen = (type: "MessagesInjected" | "TurnEnded", data: Record<string, unknown>) =>
    // As much of the event as is looked at.
    commit([
      { seq: ++seq, at: 1_000_000 + timers.now(), hubTime: timers.now(), type, data } as unknown as HubEvent,
    ]);

  function beginTurn(agent: string) {
    const turn = `t${++turnsBegun}`;
    const log = turns.prepare({ agent, turn, messages: ["m1"] });
    return {
      ...log,
      say: (text: string) => log.add({ kind: "text", text }),
      take: () => happen("MessagesInjected", { agent, turn }),
      end: (stop: TurnStop = "end_turn") => happen("TurnEnded", { agent, turn, stop }),
    };
  }

  function look(agent?: string) {
    const frames: { at: number; frame: LiveFrame }[] = [];
    let isFull = false;
    const flow = startLiveFlow({
      turns,
      wants: (id) => agent === undefined || agent === id,
      nameOf: (id) => `name-of-${id}`,
      send: (text) => frames.push({ at: timers.now(), frame: liveFrame.parse(JSON.parse(text)) }),
      hasRoom: () => !isFull,
      now: timers.now,
      after: timers.after,
    });
    return {
      frames,
      ...flow,
      fill(full: boolean) {
        isFull = full;
        if (!full) flow.resume();
      },
      /** What was said, put together as a reader does; `?` for what is missing. */
      text() {
        let text = "";
        for (const { frame } of frames) {
          if ("state" in frame && frame.state === "began") text = "";
          if (!("part" in frame) || frame.part.kind !== "text") continue;
          expect(frame.part.offset).toBeGreaterThanOrEqual(text.length);
          text = text.padEnd(frame.part.offset, "?") + frame.part.text;
        }
        return text;
      },
      states: () => frames.flatMap(({ frame }) => ("state" in frame ? [frame.state] : [])),
    };
  }
  return { timers, beginTurn, look, turns };
}

test("a turn is told from its beginning to its end, in the words of the contract", () => {
  const { timers, beginTurn, look } = openYard();
  const reader = look();
  const turn = beginTurn("bob");
  turn.take();
  timers.advance(0);
  turn.say("Hello ");
  turn.add({ kind: "tool", id: "c1", title: "Read", act: "read", status: "running" });
  timers.advance(1000);
  turn.add({ kind: "tool", id: "c1", title: "Read", act: "read", status: "done" });
  turn.add({ kind: "usage", usage: { inputTokens: 3, costUsd: 0.1 } });
  turn.say("there");
  turn.end();
  timers.advance(0);

  const of = { agent: "name-of-bob", id: "bob", turn: "t1" };
  expect(reader.frames.map(({ frame }) => frame)).toEqual([
    { ...of, state: "began", at: "1970-01-01T00:16:40.000Z", messages: ["m1"] },
    { ...of, part: { kind: "text", offset: 0, text: "Hello " } },
    {
      ...of,
      part: { kind: "tool", id: "c1", title: "Read", act: "read", status: "running", offset: 6, ms: 101 },
    },
    { ...of, part: { kind: "text", offset: 6, text: "there" } },
    {
      ...of,
      part: { kind: "tool", id: "c1", title: "Read", act: "read", status: "done", offset: 6, ms: 1000 },
    },
    { ...of, part: { kind: "usage", usage: { input_tokens: 3, cost_usd: 0.1 } } },
    { ...of, state: "ended", at: "1970-01-01T00:16:41.000Z", stop: "end_turn" },
  ]);
});

test.each([
  ["text alone", false],
  ["text, thoughts and tools at once", true],
])("of %s there are at most ten frames in any second, and none of it is lost", (_, everything) => {
  const { timers, beginTurn, look } = openYard();
  const reader = look();
  const turn = beginTurn("bob");
  turn.take();
  let said = "";
  for (let i = 0; i < 2000; i++) {
    turn.say(`w${i} `);
    said += `w${i} `;
    if (everything) {
      turn.add({ kind: "thought", text: `h${i} ` });
      turn.add({ kind: "tool", id: String(i % 7), title: `tool ${i}`, status: "running" });
    }
    timers.advance(3);
  }
  const times = reader.frames.map(({ at }) => at);
  const most = Math.max(...times.map((at) => times.filter((one) => one >= at && one < at + 1000).length));
  expect(most).toBeLessThanOrEqual(10);
  expect(times.length).toBeGreaterThan(50);

  turn.end();
  timers.advance(0);
  expect(reader.text()).toBe(said);
  const last = new Map(
    reader.frames.flatMap(({ frame }) =>
      "part" in frame && frame.part.kind === "tool" ? [[frame.part.id, frame.part.title]] : [],
    ),
  );
  if (everything)
    expect([...last.values()].sort()).toEqual(
      [1993, 1994, 1995, 1996, 1997, 1998, 1999].map((i) => `tool ${i}`),
    );
});

test("agents are told of apart: one that talks much does not hold up another", () => {
  const { timers, beginTurn, look } = openYard();
  const reader = look();
  const [loud, quiet] = [beginTurn("loud"), beginTurn("quiet")];
  loud.take();
  quiet.take();
  timers.advance(2000);
  for (let i = 0; i < 100; i++) {
    loud.say("x");
    timers.advance(5);
  }
  quiet.say("hm");
  timers.advance(0);
  expect(reader.frames.at(-1)?.frame).toMatchObject({ id: "quiet", part: { text: "hm" } });
});

test("who looks in the middle of a turn gets what it has so far at once, marked", () => {
  const { timers, beginTurn, look } = openYard();
  const turn = beginTurn("bob");
  turn.say("one ");
  turn.add({ kind: "tool", id: "c1", title: "Read", status: "done" });
  turn.say("two ");
  beginTurn("other").say("not asked for");

  const reader = look("bob");
  expect(reader.frames.map(({ frame }) => frame)).toMatchObject([
    { state: "began", under_way: true },
    { part: { kind: "text", offset: 0, text: "one two " } },
    { part: { kind: "tool", offset: 4 } },
  ]);
  turn.say("three");
  turn.end();
  timers.advance(1000);
  expect(reader.text()).toBe("one two three");
  expect(reader.states()).toEqual(["began", "ended"]);
});

test("a long turn's beginning is left out for who comes late, and the offset says so", () => {
  const { beginTurn, look } = openYard();
  const turn = beginTurn("bob");
  for (let i = 0; i < 500; i++) turn.say("x".repeat(1000));
  const reader = look();
  expect(reader.frames[1]?.frame).toMatchObject({
    part: { kind: "text", offset: 500_000 - 128 * 1024, text: "x".repeat(128 * 1024) },
  });
});

test("a reader that takes nothing gets nothing, and all of it at once when it does", () => {
  const { timers, beginTurn, look } = openYard();
  const reader = look();
  const turn = beginTurn("bob");
  turn.say("one ");
  timers.advance(200);
  reader.fill(true);
  const before = reader.frames.length;
  for (let i = 0; i < 100; i++) {
    turn.say("x");
    timers.advance(50);
  }
  turn.end("cancelled");
  timers.advance(1000);
  expect(reader.frames).toHaveLength(before);

  reader.fill(false);
  expect(reader.text()).toBe(`one ${"x".repeat(100)}`);
  expect(reader.frames.slice(before).map(({ frame }) => frame)).toMatchObject([
    { part: { offset: 4 } },
    { state: "ended", stop: "cancelled" },
  ]);
});

test("a turn that came while the last one could not be told takes its place", () => {
  const { timers, beginTurn, look } = openYard();
  const reader = look();
  const first = beginTurn("bob");
  first.say("first");
  timers.advance(200);
  reader.fill(true);
  first.end();
  beginTurn("bob").say("second");
  reader.fill(false);
  timers.advance(500);
  expect(reader.text()).toBe("second");
  expect(reader.states()).toEqual(["began", "began"]);
});

test("a turn that its agent never took is not told of", () => {
  const { timers, beginTurn, look, turns } = openYard();
  const reader = look();
  const turn = beginTurn("bob");
  expect(turns.of("bob")).toBeUndefined();
  turn.end("not_taken");
  timers.advance(1000);
  expect(reader.frames).toEqual([]);
});

test("nobody looks: nothing is armed, and what is kept is only the turn", () => {
  const { timers, beginTurn, look } = openYard();
  const reader = look();
  const turn = beginTurn("bob");
  turn.say("x");
  reader.close();
  turn.say("y");
  expect(timers.pending()).toBe(0);
  turn.end();
  expect(reader.frames).toEqual([]);
});
