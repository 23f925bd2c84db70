import { expect, test } from "vitest";
import type { LiveOutputFrame, LivePart } from "../../contract/http/live.js";
import { advanceLiveTurn, type LiveTurn } from "./live-turn.js";

const of = { agent: "ann", id: "a1", turn: "t1" };
const began: LiveOutputFrame = { ...of, state: "began", at: "2026-01-01T00:00:00.000Z", messages: ["m1"] };

function play(...parts: LivePart[]): LiveTurn | undefined {
  const frames: LiveOutputFrame[] = [began, ...parts.map((part) => ({ ...of, part }))];
  return frames.reduce<LiveTurn | undefined>((turn, frame) => advanceLiveTurn(turn, frame, 5), undefined);
}

test("text stands at its offset, and what is told twice stands once", () => {
  const turn = play(
    { kind: "text", offset: 0, text: "I look" },
    { kind: "text", offset: 6, text: " around" },
    { kind: "text", offset: 6, text: " around." },
  );
  expect(turn?.text).toEqual({ from: 0, text: "I look around." });
});

test("after a gap only what follows is kept, and says so", () => {
  const turn = play({ kind: "text", offset: 0, text: "a" }, { kind: "text", offset: 100, text: "z" });
  expect(turn?.text).toEqual({ from: 100, text: "z" });
});

test("a long text keeps its end, under the same offsets", () => {
  const piece = "x".repeat(100_000);
  const turn = play(
    ...[0, 1, 2, 3].map((n): LivePart => ({ kind: "text", offset: n * piece.length, text: piece })),
    { kind: "text", offset: 4 * piece.length, text: "end" },
  );
  expect(turn?.text.text.length).toBeLessThan(330_000);
  expect(turn?.text.text.endsWith("xend")).toBe(true);
  expect((turn?.text.from ?? 0) + (turn?.text.text.length ?? 0)).toBe(400_003);
});

test("a tool is told anew under its id", () => {
  const tool = { kind: "tool", id: "1", title: "Read a", offset: 0 } as const;
  const turn = play(
    { ...tool, status: "running", ms: 10 },
    { ...tool, id: "2", status: "pending", ms: 0 },
    { ...tool, status: "done", ms: 30 },
  );
  expect(turn?.tools.map(({ id, status, ms }) => [id, status, ms])).toEqual([
    ["1", "done", 30],
    ["2", "pending", 0],
  ]);
});

test("a new turn forgets the one before; frames of another turn change nothing", () => {
  const turn = play({ kind: "text", offset: 0, text: "old" });
  const next = advanceLiveTurn(turn, { ...began, turn: "t2" }, 5);
  expect(next).toMatchObject({ turn: "t2", text: { from: 0, text: "" } });
  expect(advanceLiveTurn(next, { ...of, part: { kind: "text", offset: 0, text: "late" } }, 5)).toBe(next);
  expect(
    advanceLiveTurn(next, { ...of, turn: "t2", state: "ended", at: "x", stop: "end_turn" }, 5)?.ended,
  ).toEqual({
    at: "x",
    stop: "end_turn",
  });
});
