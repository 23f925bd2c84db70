import { expect, test } from "vitest";
import { NOW, permission, plain, question, topScene } from "../../../test/fakes/top-scene.js";
import { createKeyReader, type Key } from "./keys.js";
import { type Effect, pressKey } from "./press-key.js";
import { renderFrame } from "./render-frame.js";
import { markNeed, type TopState, takeNeeds } from "./top-state.js";

const size = { columns: 80, rows: 24 };
const keysOf = (typed: string): Key[] => createKeyReader().read(typed);

/** Each key in sight of a frame of its own, as somebody types who looks. */
function type(state: TopState, typed: string): { state: TopState; effects: Effect[] } {
  const effects: Effect[] = [];
  let now = state;
  for (const key of keysOf(typed)) {
    const pressed = pressKey(now, renderFrame(now, plain, size).shown, key, NOW);
    now = pressed.state;
    if (pressed.effect !== undefined) effects.push(pressed.effect);
  }
  return { state: now, effects };
}

const needs = [
  permission("p1", "ann", "rm -rf build"),
  permission("p2", "ben", "git push --force"),
  question("q", "cat", "A or B?"),
];
const scene = takeNeeds(topScene(), needs);

test.each([
  ["o", "once"],
  ["s", "session"],
  ["d", "deny"],
])("%s answers the chosen permission: %s", (key, action) => {
  const { effects } = type(scene, `\tj${key}`);
  expect(effects).toMatchObject([{ kind: "act", need: { id: "p2" }, action: { action } }]);
});

test("a key acts on what was on the screen when it was pressed, not on what came into its place", () => {
  const looked = type(scene, "\t").state;
  const { shown } = renderFrame(looked, plain, size);
  expect(shown.need?.id).toBe("p1");

  // p1 is answered elsewhere between the frame and the key.
  const meanwhile = takeNeeds(looked, needs.slice(1));
  const [key] = keysOf("o");
  const pressed = pressKey(meanwhile, shown, key ?? { kind: "escape" }, NOW);

  expect(pressed.effect).toBeUndefined();
  expect(pressed.state.notice?.text).toBe("It was answered");
});

test("what was answered stays chosen in its place until the person moves on", () => {
  const looked = type(scene, "\t").state;
  const after = takeNeeds(looked, needs.slice(1));
  expect(after.needs.map(({ need, state }) => [need.id, state])).toEqual([
    ["p1", "settled"],
    ["p2", "open"],
    ["q", "open"],
  ]);
  expect(type(after, "ooo").effects).toEqual([]);
  const moved = type(after, "j").state;
  expect(moved.need).toBe("p2");
  expect(moved.needs.map(({ need }) => need.id)).toEqual(["p2", "q"]);
});

test("keys that come together were pressed in sight of the same frame", () => {
  const { shown } = renderFrame(scene, plain, size);
  let state = scene;
  const effects: unknown[] = [];
  for (const key of keysOf("\to")) {
    const pressed = pressKey(state, shown, key, NOW);
    state = pressed.state;
    effects.push(pressed.effect);
  }
  expect(effects).toEqual([undefined, undefined]);
});

test("an answer that is on its way is not given twice", () => {
  const looked = markNeed(type(scene, "\t").state, "p1", "working");
  expect(type(looked, "o").effects).toEqual([]);
});

test("what allows something for good, or ends something, is asked once more", () => {
  const asked = type(scene, "\ta");
  expect(asked).toMatchObject({ effects: [], state: { mode: { kind: "confirm" } } });
  expect(type(asked.state, "n").effects).toEqual([]);
  expect(type(asked.state, "\r").effects).toEqual([]);
  expect(type(asked.state, "y").effects).toMatchObject([
    { kind: "act", need: { id: "p1" }, action: { action: "always" } },
  ]);
});

test("a text is read to its end before a key allows it; No is always possible", () => {
  const long = permission("p1", "ann", "x\n".repeat(80));
  const looked = type(takeNeeds(topScene(), [long]), "\t").state;
  expect(type(looked, "o")).toMatchObject({
    effects: [],
    state: { notice: { text: expect.stringContaining("Space") as unknown } },
  });
  expect(type(looked, "d").effects).toHaveLength(1);
  expect(type(looked, `${" ".repeat(20)}o`).effects).toMatchObject([{ action: { action: "once" } }]);
});

test("while the hub is away nothing is answered", () => {
  const away = { ...scene, link: { kind: "away" as const, since: NOW } };
  expect(type(away, "\to")).toMatchObject({
    effects: [],
    state: { notice: { text: expect.stringContaining("away") as unknown } },
  });
});

test("what is pasted presses nothing, but is text where text is asked for", () => {
  const pasted = "\x1b[200~o\nq\x1b[201~";
  expect(type(scene, `\t${pasted}`).effects).toEqual([]);
  const answer = type(scene, `\tjjr${pasted}!\r`);
  expect(answer.effects).toEqual([{ kind: "reply", need: needs[2], text: "o\nq!" }]);
});

test("an answer that is put off is there again", () => {
  const later = type(scene, "\tjjrYes, A").state;
  const { state } = type({ ...later, mode: { kind: "list" }, drafts: { q: "Yes, A" } }, "r");
  expect(state.mode).toMatchObject({ kind: "reply", text: "Yes, A" });
});

test("a filter leaves the agents that have its text, and Escape takes it back", () => {
  const filtered = type(scene, "/janus\r").state;
  expect(filtered).toMatchObject({ filter: "janus", agent: "id-janus-dev", mode: { kind: "list" } });
  expect(
    pressKey(filtered, renderFrame(filtered, plain, size).shown, { kind: "escape" }, NOW).state.filter,
  ).toBe("");
});

test("Enter shows the output of an agent, or the pane of one that has a pane", () => {
  expect(type(scene, "\r").state.view).toBe("details");
  const [first, ...others] = scene.agents;
  if (first === undefined) throw new Error("nobody");
  const inPane = { ...scene, agents: [{ ...first, tmux: { session: "a", pane: "%1" } }, ...others] };
  expect(type(inPane, "\r").effects).toEqual([{ kind: "attach", agent: "api-dev" }]);
});

test("q quits, and Ctrl-C does whatever is asked", () => {
  expect(type(scene, "q").effects).toEqual([{ kind: "quit" }]);
  expect(type(scene, "\tjjrHello\x03").effects).toEqual([{ kind: "interrupt" }]);
});
