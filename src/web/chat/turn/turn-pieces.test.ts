import { expect, test } from "vitest";
import type { Mail } from "../bubble/mail.js";
import { countTools, toolTarget, toolWord } from "./tool-summary.js";
import { cutTurn, runningTool } from "./turn-pieces.js";
import type { ToolCall, TurnShown } from "./turn-shown.js";

const tool = (title: string, offset: number, more: Partial<ToolCall> = {}): ToolCall => ({
  title,
  status: "done",
  ms: 10,
  offset,
  ...more,
});

function turn(text: string, tools: ToolCall[], more: Partial<TurnShown> = {}): TurnShown {
  return {
    turn: "t",
    started: "2026-03-03T14:00:00Z",
    ended: null,
    stop: null,
    messages: [],
    text,
    thoughts: "",
    tools,
    plan: [],
    usage: null,
    state: "running",
    ...more,
  };
}

const sent = (id: string) => ({ message: { id } }) as Mail;
const shape = (turnShown: TurnShown, mail: Mail[] = []) =>
  cutTurn(turnShown, mail).map((piece) =>
    piece.kind === "text" ? piece.text : piece.kind === "tools" ? piece.tools.length : piece.mail.message.id,
  );

test("calls stand where the text was when they were made, those without a word between them together", () => {
  expect(shape(turn("One. Two.", [tool("Read a", 0), tool("Read b", 0), tool("Read c", 5)]))).toEqual([
    2,
    "One. ",
    1,
    "Two.",
  ]);
});

test("mail stands after the calls that sent it, what is left after the last", () => {
  const both = turn("Hi. Bye.", [tool("send_message tax", 0), tool("Read a", 4)]);
  expect(shape(both, [sent("a"), sent("b")])).toEqual([1, "a", "Hi. ", 1, "b", "Bye."]);
  expect(shape(turn("Hi.", []), [sent("a")])).toEqual(["a", "Hi."]);
});

test("the call that runs stands last, by itself", () => {
  const running = turn("Hi.", [tool("Read a", 0), tool("Edit b", 3, { status: "running" })]);
  expect(shape(running)).toEqual([1, "Hi."]);
  expect(runningTool(running)?.title).toBe("Edit b");
  expect(runningTool({ ...running, state: "ended" })).toBeUndefined();
});

test("of a turn whose beginning was cut, offsets count what was cut", () => {
  expect(shape(turn("Two.", [tool("Read a", 9)], { cut: { text: 7 } }))).toEqual(["Tw", 1, "o."]);
});

test("calls are counted by what they do", () => {
  const calls = [
    tool("Read a", 0, { act: "read" }),
    tool("x", 0, { act: "search" }),
    tool("b", 0, { act: "read" }),
    tool("mcp__huddle__send_message", 0),
  ];
  expect(countTools(calls)).toBe("Read 2 · Search 1 · Send 1");
  expect(toolTarget(tool("Read a/b.ts", 0, { act: "read" }))).toBe("a/b.ts");
  expect(toolWord(tool("spawn_agent", 0, { act: "other" }))).toBe("Spawn");
});
