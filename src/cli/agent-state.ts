import type { AgentList } from "../client/hub-client.js";
import type { AgentStatus } from "../model/agent.js";
import { moment } from "./amounts.js";
import type { Colors } from "./output.js";
import type { Cell } from "./table.js";

type Agent = AgentList["agents"][number];

type Look = { glyph: string; color: "green" | "yellow" | "red" | "dim" | "reset"; word?: string };

const looks: Readonly<Record<AgentStatus, Look>> = {
  starting: { glyph: "○", color: "dim" },
  idle: { glyph: "○", color: "reset" },
  busy: { glyph: "●", color: "green" },
  waiting: { glyph: "◔", color: "yellow", word: "waiting for you" },
  listening: { glyph: "◔", color: "reset" },
  // Huddle's own pace, not a limit of the vendor.
  rate_limited: { glyph: "◔", color: "yellow", word: "pacing" },
  limited: { glyph: "⏳", color: "yellow" },
  stalled: { glyph: "!", color: "yellow" },
  error: { glyph: "⚠", color: "red" },
  dormant: { glyph: "○", color: "dim" },
  offline: { glyph: "◌", color: "dim" },
  dead: { glyph: "✕", color: "red" },
};

/** A glyph and the word: never colour alone. */
export function stateCell({ state, until, paused }: Agent, now: number, colors: Colors): Cell {
  const { glyph, color, word = state } = looks[state];
  const still = paused === true ? ", paused" : "";
  return {
    text: `${glyph} ${word}${endOf(state, until, now)}${still}`,
    paint: colors[paused === true ? "yellow" : color],
  };
}

/** Of somebody of whom no more is known. */
export function stateWord(state: AgentStatus, colors: Colors): Cell {
  const { glyph, color, word = state } = looks[state];
  return { text: `${glyph} ${word}`, paint: colors[color] };
}

function endOf(state: AgentStatus, until: string | undefined, now: number): string {
  if (until === undefined) return "";
  const at = Date.parse(until);
  if (state !== "rate_limited") return ` until ${moment(at, now)}`;
  return ` (${Math.max(1, Math.ceil((at - now) / 1000))} s)`;
}

const GONE_MS = 10 * 60_000;

export function isAway({ state }: Pick<Agent, "state">): boolean {
  return state === "dead" || state === "offline";
}

/** Away for so long that it hardly comes back. */
export function isLongGone(agent: Pick<Agent, "state" | "since">, now: number): boolean {
  return isAway(agent) && now - Date.parse(agent.since) > GONE_MS;
}
