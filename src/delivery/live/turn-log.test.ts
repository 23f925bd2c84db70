import { expect, test } from "vitest";
import { type LiveChange, liveStart } from "../../model/live-turn.js";
import { sayAll } from "./say-all.js";
import { createTurnLog } from "./turn-log.js";

function openLog() {
  const clock = { now: 1000 };
  return { log: createTurnLog(() => clock.now), clock };
}

const tool = (id: string, status: "pending" | "running" | "done" | "failed", title = `tool ${id}`) =>
  ({ kind: "tool", id, title, status }) as const;

test("texts are joined, tools are known by their newest state, and the newest plan stands", () => {
  const { log, clock } = openLog();
  log.add({ kind: "thought", text: "hm, " });
  log.add({ kind: "text", text: "Look: " });
  log.add({ ...tool("1", "running", "Read a file"), act: "read" });
  clock.now += 250;
  log.add({ kind: "thought", text: "so" });
  log.add(tool("2", "failed"));
  log.add({ ...tool("1", "done", "Read a file"), act: "read" });
  log.add({ kind: "plan", entries: [{ text: "Look", status: "pending" }] });
  log.add({ kind: "plan", entries: [{ text: "Look", status: "completed" }] });
  log.add({ kind: "text", text: "done." });
  clock.now += 1000;

  expect(log.read()).toEqual({
    text: "Look: done.",
    length: 11,
    work: {
      thoughts: "hm, so",
      tools: [
        { title: "Read a file", status: "done", act: "read", ms: 250, offset: 6 },
        { title: "tool 2", status: "failed", ms: 0, offset: 6 },
      ],
      plan: [{ text: "Look", status: "completed" }],
    },
  });
});

test("a tool that nobody saw end ran until the turn did", () => {
  const { log, clock } = openLog();
  log.add(tool("1", "running"));
  clock.now += 700;
  expect(log.read().work.tools).toEqual([{ title: "tool 1", status: "running", ms: 700, offset: 0 }]);
});

test("a reader gets what is new since its place: texts joined, a tool as it is now", () => {
  const { log, clock } = openLog();
  log.add({ kind: "text", text: "one " });
  log.add(tool("1", "running"));
  const first = log.since(liveStart, 10);
  expect(first.changes).toEqual([
    { kind: "text", offset: 0, text: "one " },
    { kind: "tool", id: "1", title: "tool 1", status: "running", offset: 4, ms: 0 },
  ]);
  expect(log.since(first.place, 10).changes).toEqual([]);

  clock.now += 30;
  log.add({ kind: "text", text: "two " });
  log.add({ kind: "text", text: "three" });
  log.add(tool("1", "done"));
  log.add({ kind: "usage", usage: { costUsd: 0.5 } });
  expect(log.since(first.place, 10).changes).toEqual([
    { kind: "text", offset: 4, text: "two three" },
    { kind: "tool", id: "1", title: "tool 1", status: "done", offset: 4, ms: 30 },
    { kind: "usage", usage: { costUsd: 0.5 } },
  ]);
});

test("taken a few at a time, nothing is left out and nothing comes twice", () => {
  const { log } = openLog();
  log.add({ kind: "text", text: "said" });
  log.add({ kind: "thought", text: "thought" });
  for (const id of ["1", "2", "3"]) log.add(tool(id, "running"));
  log.add({ kind: "plan", entries: [{ text: "Look", status: "pending" }] });

  const all: LiveChange[] = [];
  let place = liveStart;
  for (;;) {
    const step = log.since(place, 2);
    expect(step.changes.length).toBeLessThanOrEqual(2);
    if (step.changes.length === 0) break;
    all.push(...step.changes);
    place = step.place;
  }
  expect(all.map((change) => (change.kind === "tool" ? change.id : change.kind))).toEqual([
    "thought",
    "text",
    "1",
    "2",
    "3",
    "plan",
  ]);
});

test("a long turn is bounded: its end is kept, and it says what is missing", () => {
  const { log } = openLog();
  for (let i = 0; i < 10_000; i++) {
    log.add({ kind: "text", text: `word ${i} ${"x".repeat(100)}` });
    log.add({ kind: "thought", text: `thought ${i} ${"x".repeat(100)}` });
    log.add(tool(String(i), "done", `${i} ${"t".repeat(1000)}`));
  }
  log.add({
    kind: "plan",
    entries: Array.from({ length: 500 }, () => ({ text: "p".repeat(999), status: "pending" })),
  });
  const { text, length, work } = log.read();
  expect(text.length).toBe(128 * 1024);
  expect(text).toContain("word 9999");
  expect(work.thoughts).toContain("thought 9999");
  expect(work.tools?.at(-1)?.title).toMatch(/^9999 /);
  expect(work.cut).toMatchObject({ text: length - 128 * 1024, tools: 9_500 });
  expect(JSON.stringify(log.read()).length).toBeLessThan(400_000);
  const [, joined] = log.since(liveStart, 2).changes;
  expect(joined).toMatchObject({ kind: "text", offset: length - 128 * 1024 });
});

test("what the turn's end tells stands above what was heard, unless it tells nothing", () => {
  const { log } = openLog();
  log.add({ kind: "text", text: "heard" });
  expect(sayAll(log.read(), { text: "told", usage: { costUsd: 1 } })).toEqual({
    text: "told",
    usage: { costUsd: 1 },
    work: {},
  });
  expect(sayAll(log.read(), { text: "" })).toEqual({ text: "heard", work: {} });
  expect(sayAll(log.read(), { text: "ard" })).toEqual({ text: "ard", work: { cut: { text: 2 } } });
});
