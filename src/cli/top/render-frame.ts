import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { isAway } from "../agent-state.js";
import { clockTime, counted } from "../amounts.js";
import { escapeLine } from "../escape-text.js";
import type { Cell } from "../table.js";
import { helpLines } from "./help-lines.js";
import { BETWEEN, isTooSmall, layOut, type Size } from "./layout.js";
import { calmMarks, fitLine, lastColumns, padLine } from "./painted-line.js";
import type { Shown } from "./press-key.js";
import { needHeight, renderDetails } from "./render-details.js";
import { dim, type Look, renderAgentRows, renderNeedRows, sayNeed } from "./render-lists.js";
import { shownAgents, type TopState } from "./top-state.js";
import { sayRate } from "./traffic.js";

/** A screen full of lines, none wider than the terminal, and what keys act on in it. */
export type Frame = { lines: string[]; shown: Shown };

const unseen: Shown = { need: undefined, isEndSeen: false, agent: undefined, page: 0, mostScroll: 0 };

export function renderFrame(state: TopState, look: Look, size: Size): Frame {
  const { columns, rows } = size;
  if (isTooSmall(size))
    return { lines: fill(["Too small: make it larger, or press q"], size), shown: unseen };
  const [header, footer] = [renderHeader(state, look, columns), renderFooter(state, look, columns)];
  if (state.mode.kind === "help") {
    const help = helpLines(look.colors).map((line) => fitLine(line, columns));
    return { lines: [...fill([header, ...help], { columns, rows: rows - 1 }), footer], shown: unseen };
  }
  const counts = {
    agents: shownAgents(state, look.now).length,
    needs: state.needs.length,
    details: needHeight(state, look, columns),
  };
  const layout = layOut(state, counts, size);
  const { split } = layout;
  const width = split?.left ?? columns;
  const lists = [
    ...block(layout.agents, () => renderAgentRows(state, look, { width, height: layout.agents })),
    ...block(layout.needs, () => renderNeedRows(state, look, { width, height: layout.needs })),
  ];
  const details = renderDetails(state, look, { width: split?.right ?? columns, height: layout.details });
  const right = block(layout.details, () => details.lines);
  const body = split === undefined ? [...lists, ...right] : beside(lists, right, split.left, look);
  return { lines: [...fill([header, ...body], { columns, rows: rows - 1 }), footer], shown: details.shown };
}

/** Exactly so many lines. */
function block(height: number, render: () => string[]): string[] {
  if (height === 0) return [];
  const lines = render().slice(0, height);
  return [...lines, ...Array.from({ length: height - lines.length }, () => "")];
}

function fill(lines: readonly string[], { columns, rows }: Size): string[] {
  const shown = lines
    .slice(0, rows)
    .map((line) =>
      calmMarks(stringWidth(line) > columns ? fitLine([stripVTControlCharacters(line)], columns) : line),
    );
  return [...shown, ...Array.from({ length: Math.max(0, rows - shown.length) }, () => "")];
}

/** The right half begins where it begins even if the terminal counts the left one's characters otherwise than we do. */
function beside(
  left: readonly string[],
  right: readonly string[],
  width: number,
  { colors }: Look,
): string[] {
  return right.map((line, at) => {
    const to = `\x1b[${width + 1}G`;
    return `${padLine(left[at] ?? "", width)}${to}${" ".repeat(BETWEEN - 2)}${colors.dim("│")} ${line}`;
  });
}

function renderHeader(state: TopState, { colors, now }: Look, columns: number): string {
  const here = shownAgents({ ...state, filter: "" }, now).filter((agent) => !isAway(agent));
  const busy = here.filter(({ state: one }) => one === "busy").length;
  const open = state.needs.filter(({ state: one }) => one !== "settled").length;
  const link = linkWord(state.link, colors);
  const figures = `${counted(here.length, "agent")} · ${busy} busy · ${sayRate(state.traffic.perMinute)} messages/min`;
  const needs: Cell[] =
    open === 0 ? [] : [{ text: `${open} ${open === 1 ? "needs" : "need"} you`, paint: colors.yellow }, " · "];
  const filter: Cell[] = state.filter === "" ? [] : [dim(`  /${escapeLine(state.filter)}`, colors)];
  return calmMarks(
    fitLine(
      [{ text: "huddle top", paint: colors.bold }, "  ", link, "  ", ...needs, figures, ...filter],
      columns,
    ),
  );
}

function linkWord(link: TopState["link"], colors: Look["colors"]): Cell {
  switch (link.kind) {
    case "connecting":
      return { text: "○ connecting", paint: colors.dim };
    case "live":
      return { text: "● live", paint: colors.green };
    case "away":
      return { text: `○ reconnecting, away since ${clockTime(link.since)}`, paint: colors.yellow };
  }
}

function renderFooter(state: TopState, { colors }: Look, columns: number): string {
  const { mode, notice } = state;
  switch (mode.kind) {
    case "filter":
      return calmMarks(typed("/", state.filter, "Enter keeps it, Esc takes it back", state, columns, colors));
    case "reply": {
      const to = `Reply to ${escapeLine(mode.need.agent ?? "")}: `;
      return calmMarks(typed(to, mode.text, "Enter sends, Esc keeps it for later", state, columns, colors));
    }
    case "confirm": {
      const asked = `${escapeLine(mode.action.label)}: ${sayNeed(mode.need)}. Sure? `;
      return fitLine(
        [{ text: asked, paint: colors.yellow }, { text: "y", paint: colors.cyan }, " yes, any other key: no"],
        columns,
      );
    }
    case "help":
      return fitLine([dim("Any key goes back", colors)], columns);
    case "list":
  }
  if (notice !== undefined) {
    const [sign, paint] = {
      good: ["✓ ", colors.green] as const,
      bad: ["✗ ", colors.red] as const,
      plain: ["· ", colors.yellow] as const,
    }[notice.tone];
    return calmMarks(fitLine([{ text: sign, paint }, notice.text], columns));
  }
  return fitLine(
    keysNow(state).flatMap(([key, word]) => [{ text: key, paint: colors.cyan }, dim(` ${word}   `, colors)]),
    columns,
  );
}

/** What was typed, its end always in sight. */
function typed(
  before: string,
  text: string,
  hint: string,
  { notice }: TopState,
  columns: number,
  colors: Look["colors"],
): string {
  const room = Math.max(1, columns - stringWidth(before) - 1);
  const end = lastColumns(escapeLine(text), room);
  const aside = notice === undefined ? (text === "" ? hint : "") : notice.text;
  return fitLine(
    [{ text: before, paint: colors.cyan }, `${end}▏`, dim(aside === "" ? "" : `  ${aside}`, colors)],
    columns,
  );
}

/** The keys that work now, the ones used most first. */
function keysNow({ place, view, agent, agents }: TopState): [key: string, word: string][] {
  const always: [string, string][] = [
    ["?", "keys"],
    ["q", "quit"],
  ];
  if (view === "details")
    return [["Esc", "back"], ["Space", "read on"], ["b", "up"], ["j k", "other"], ...always];
  if (place === "needs")
    return [["j k", "move"], ["Space", "read on"], ["Enter", "whole"], ["Tab", "agents"], ...always];
  const hasPane = agents.find(({ id }) => id === agent)?.tmux !== undefined;
  const enter = hasPane ? "attach" : "output";
  return [["j k", "move"], ["Enter", enter], ["Tab", "needs you"], ["/", "filter"], ...always];
}
