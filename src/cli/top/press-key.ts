import { escapeLine } from "../escape-text.js";
import { editText } from "./edit-text.js";
import type { Key } from "./keys.js";
import { isAllowing, isGrave, keyedActions } from "./need-keys.js";
import {
  type AgentRow,
  chosenNeed,
  type Mode,
  type Need,
  type NeedAction,
  shownAgents,
  type TopState,
} from "./top-state.js";

/** What the last frame showed of what keys act on. */
export type Shown = {
  /** The chosen need, if it was on the screen with its text, and was not answered yet. */
  need: Need | undefined;
  isEndSeen: boolean;
  agent: AgentRow | undefined;
  /** Lines of the details that fit, and how far they can be scrolled. */
  page: number;
  mostScroll: number;
};

export type Effect =
  | { kind: "quit" }
  | { kind: "interrupt" }
  | { kind: "suspend" }
  | { kind: "redraw" }
  | { kind: "act"; need: Need; action: NeedAction }
  | { kind: "reply"; need: Need; text: string }
  | { kind: "attach"; agent: string };

type Pressed = { state: TopState; effect?: Effect };

/**
 * What a key does. It acts on what the last frame showed, never on what has come since: `shown` is the frame that the person
 * looked at.
 */
export function pressKey(before: TopState, shown: Shown, key: Key, now: number): Pressed {
  const state: TopState = { ...before, notice: undefined };
  if (key.kind === "interrupt" || key.kind === "suspend" || key.kind === "redraw")
    return { state, effect: { kind: key.kind } };
  const { mode } = state;
  switch (mode.kind) {
    case "help":
      return { state: list(state) };
    case "filter":
      return { state: typeFilter(state, mode, key, now) };
    case "reply":
      return typeReply(state, mode, key);
    case "confirm":
      return confirm(state, mode, key);
    case "list":
      return key.kind === "character"
        ? pressCharacter(state, shown, key.text, now)
        : move(state, shown, key, now);
  }
}

const list = (state: TopState): TopState => ({ ...state, mode: { kind: "list" } });
const say = (state: TopState, text: string): Pressed => ({
  state: { ...state, notice: { tone: "plain", text } },
});

function pressCharacter(state: TopState, shown: Shown, character: string, now: number): Pressed {
  switch (character) {
    case "q":
      return { state, effect: { kind: "quit" } };
    case "?":
      return { state: { ...state, mode: { kind: "help" } } };
    case "/":
      return { state: { ...state, place: "agents", mode: { kind: "filter", before: state.filter } } };
    case "j":
      return { state: step(state, 1, now) };
    case "k":
      return { state: step(state, -1, now) };
    case "g":
      return { state: step(state, Number.NEGATIVE_INFINITY, now) };
    case "G":
      return { state: step(state, Number.POSITIVE_INFINITY, now) };
    case "u":
      return { state: nextNeed(state) };
    case " ":
      return { state: scrollBy(state, shown, 1) };
    case "b":
      return { state: scrollBy(state, shown, -1) };
    default:
      return state.place === "needs"
        ? pressAction(state, shown, character)
        : pressOnAgent(state, shown, character);
  }
}

function move(state: TopState, shown: Shown, { kind }: Key, now: number): Pressed {
  switch (kind) {
    case "up":
      return { state: step(state, -1, now) };
    case "down":
      return { state: step(state, 1, now) };
    case "home":
      return { state: step(state, Number.NEGATIVE_INFINITY, now) };
    case "end":
      return { state: step(state, Number.POSITIVE_INFINITY, now) };
    case "pageUp":
      return { state: scrollBy(state, shown, -1) };
    case "pageDown":
      return { state: scrollBy(state, shown, 1) };
    case "tab":
      return { state: state.place === "agents" ? toNeeds(state) : toAgents(state) };
    case "enter":
      return open(state, shown);
    case "escape":
      return { state: back(state) };
    default:
      // What is pasted presses nothing.
      return { state };
  }
}

/** Moves the choice; what was answered goes once it is left. */
function step(state: TopState, by: number, now: number): TopState {
  const ids =
    state.place === "agents"
      ? shownAgents(state, now).map(({ id }) => id)
      : state.needs.map(({ need }) => need.id);
  const chosen = state.place === "agents" ? state.agent : state.need;
  const at = ids.indexOf(chosen ?? "");
  const next = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? 0 : at + by))];
  if (next === chosen) return state;
  if (state.place === "agents") return { ...state, agent: next, scroll: 0 };
  return leaveSettled({ ...state, need: next, scroll: 0 });
}

function leaveSettled(state: TopState): TopState {
  const needs = state.needs.filter((one) => one.state !== "settled" || one.need.id === state.need);
  return { ...state, needs };
}

function toNeeds(state: TopState): TopState {
  const isThere = chosenNeed(state) !== undefined;
  return { ...state, place: "needs", scroll: 0, need: isThere ? state.need : state.needs[0]?.need.id };
}

function toAgents(state: TopState): TopState {
  const isSettled = chosenNeed(state)?.state === "settled";
  return leaveSettled({ ...state, place: "agents", scroll: 0, need: isSettled ? undefined : state.need });
}

/** The next one that waits, from the first after the last. */
function nextNeed(state: TopState): TopState {
  const open = state.needs.filter((one) => one.state === "open").map(({ need }) => need.id);
  const at = state.place === "needs" ? open.indexOf(state.need ?? "") : -1;
  const next = open[(at + 1) % Math.max(1, open.length)];
  return leaveSettled({ ...state, place: "needs", need: next ?? state.need, scroll: 0 });
}

/** A need is read down from its beginning, an agent's output up from its end. */
function scrollBy(state: TopState, { page, mostScroll }: Shown, pages: number): TopState {
  const lines = pages * Math.max(1, page - 1) * (state.place === "needs" ? 1 : -1);
  return { ...state, scroll: Math.max(0, Math.min(mostScroll, state.scroll + lines)) };
}

function open(state: TopState, shown: Shown): Pressed {
  if (state.view === "details") return { state: { ...state, view: "overview", scroll: 0 } };
  const { agent } = shown;
  if (state.place === "agents" && agent?.tmux !== undefined)
    return { state, effect: { kind: "attach", agent: agent.name } };
  return { state: { ...state, view: "details", scroll: 0 } };
}

function back(state: TopState): TopState {
  if (state.view === "details") return { ...state, view: "overview", scroll: 0 };
  if (state.place === "needs") return toAgents(state);
  return { ...state, filter: "", scroll: 0 };
}

function pressOnAgent(state: TopState, { agent }: Shown, character: string): Pressed {
  if (character === "t" && agent !== undefined) {
    if (agent.tmux !== undefined) return { state, effect: { kind: "attach", agent: agent.name } };
    return say(state, `${escapeLine(agent.name)} has no pane`);
  }
  const isAnswer = state.needs.some(({ need }) => keyedActions(need).some(({ key }) => key === character));
  return isAnswer ? say(state, "Choose what to answer first: Tab, then j and k") : { state };
}

function pressAction(state: TopState, shown: Shown, character: string): Pressed {
  const chosen = chosenNeed(state);
  const { need } = shown;
  if (need === undefined) {
    if (chosen === undefined) return { state };
    return say(
      state,
      chosen.state === "open" ? "Enter shows it whole; then the key works" : "It was answered",
    );
  }
  const offered = keyedActions(need);
  const found = offered.find(({ key }) => key === character);
  if (found === undefined) {
    const keys = offered.map(({ key }) => key).join(" ");
    return say(state, keys === "" ? "Nothing can be answered here" : `Keys of this one: ${keys}`);
  }
  // It may have been settled, or answered, since that frame was drawn.
  if (chosen?.need.id !== need.id || chosen.state !== "open") return say(state, "It was answered");
  return act(state, shown, need, found.action);
}

function act(state: TopState, { isEndSeen }: Shown, need: Need, action: NeedAction): Pressed {
  if (action.action === "attach")
    return need.agent === null ? { state } : { state, effect: { kind: "attach", agent: need.agent } };
  if (state.link.kind === "away") return say(state, "The hub is away: press again when it is back");
  if (isAllowing(action) && !isEndSeen)
    return say(state, "There is more of it. Read it to its end with Space; then the key works");
  if (action.action === "reply")
    return { state: { ...state, mode: { kind: "reply", need, text: state.drafts[need.id] ?? "" } } };
  if (isGrave(action)) return { state: { ...state, mode: { kind: "confirm", need, action } } };
  return { state, effect: { kind: "act", need, action } };
}

function confirm(state: TopState, { need, action }: Extract<Mode, { kind: "confirm" }>, key: Key): Pressed {
  const isYes = key.kind === "character" && key.text.toLowerCase() === "y";
  if (!isYes) return say(list(state), "Nothing was done");
  if (chosenNeed(state)?.state !== "open") return say(list(state), "It was answered");
  return { state: list(state), effect: { kind: "act", need, action } };
}

function typeFilter(
  state: TopState,
  { before }: Extract<Mode, { kind: "filter" }>,
  key: Key,
  now: number,
): TopState {
  if (key.kind === "escape") return list({ ...state, filter: before });
  if (key.kind === "enter") return list(state);
  const next = { ...state, filter: editText(state.filter, key), scroll: 0 };
  const shown = shownAgents(next, now);
  return shown.some(({ id }) => id === next.agent) ? next : { ...next, agent: shown[0]?.id ?? next.agent };
}

function typeReply(state: TopState, mode: Extract<Mode, { kind: "reply" }>, key: Key): Pressed {
  const { need, text } = mode;
  if (key.kind === "escape")
    return { state: list({ ...state, drafts: { ...state.drafts, [need.id]: text } }) };
  if (key.kind === "enter")
    return text.trim() === ""
      ? { state: list(state) }
      : { state: list(state), effect: { kind: "reply", need, text } };
  return { state: { ...state, mode: { ...mode, text: editText(text, key) } } };
}
