import { stateCell } from "../agent-state.js";
import { nameAndLabel, onWhat, unreadCell } from "../agent-table.js";
import { shortSpan } from "../amounts.js";
import { escapeDecision, escapeLine } from "../escape-text.js";
import type { Colors } from "../output.js";
import { saysOf } from "../render-inbox.js";
import { barOf } from "../render-network.js";
import { type Cell, renderTable } from "../table.js";
import { pageOf } from "./layout.js";
import { fitLine, ruleLine } from "./painted-line.js";
import { type AgentRow, type ShownNeed, shownAgents, type TopState } from "./top-state.js";
import { sayRate } from "./traffic.js";

export type Look = { now: number; colors: Colors; home: string };
type Box = { width: number; height: number };

const MARK_WIDTH = 2;
/** From this width on there is room for the minutes as bars. */
const ROOMY = 96;

/** The agents, a row each, under a line of headings. */
export function renderAgentRows(state: TopState, look: Look, { width, height }: Box): string[] {
  const { colors, now } = look;
  const shown = shownAgents(state, now);
  if (shown.length === 0) return nobody(state, width, colors).slice(0, height);
  const chosen = shown.findIndex(({ id }) => id === state.agent);
  const { start, end } = pageOf(shown.length, chosen, height - 1);
  const gone = state.filter === "" ? state.agents.length - shown.length : 0;
  const page = end - start < shown.length ? ` ${start + 1}–${end} of ${shown.length}` : "";
  const isRoomy = width >= ROOMY;
  const header = [
    "NAME",
    "STATUS",
    "FOR",
    "UNREAD",
    "HELD",
    "/MIN",
    ...(isRoomy ? ["10 MINUTES"] : []),
    "ON",
  ];
  const most = Math.max(1, ...[...state.traffic.flows.values()].flatMap(({ minutes }) => minutes));
  const rows = shown.slice(start, end).map((agent) => agentCells(agent, state, { ...look, isRoomy, most }));
  const note = page + (gone === 0 ? "" : `, ${gone} gone`);
  const lines = renderTable(
    header.map((text, column) => ({
      text:
        column === header.length - 1
          ? `${text}${note === "" ? "" : `  (${note.replace(/^[ ,]+/, "")})`}`
          : text,
      paint: colors.dim,
    })),
    rows,
    width - MARK_WIDTH,
  ).split("\n");
  return lines.map(
    (line, at) => `${markOf(state.place === "agents", at - 1 + start === chosen, colors)}${line}`,
  );
}

function agentCells(
  agent: AgentRow,
  { traffic }: TopState,
  { now, colors, home, isRoomy, most }: Look & { isRoomy: boolean; most: number },
): Cell[] {
  const flow = traffic.flows.get(agent.name);
  const held = flow?.held ?? 0;
  return [
    { text: escapeLine(nameAndLabel(agent)), paint: colors.bold },
    stateCell(agent, now, colors),
    shortSpan(now - Date.parse(agent.since)),
    unreadCell(agent, colors),
    held === 0 ? "0" : { text: String(held), paint: colors.yellow },
    sayRate(flow?.perMinute ?? 0),
    ...(isRoomy ? [(flow?.minutes ?? []).map((count) => barOf(count, most)).join("")] : []),
    onWhat(agent, home),
  ];
}

function nobody({ filter, agents }: TopState, width: number, colors: Colors): string[] {
  if (filter !== "")
    return [fitLine([`  No agent matches "${escapeLine(filter)}". `, dim("Esc shows all", colors)], width)];
  const gone = agents.length === 0 ? "" : ` ${agents.length} gone: huddle agents --all`;
  return [
    fitLine([agents.length === 0 ? "  No agents yet." : "  Nobody is here now.", dim(gone, colors)], width),
    fitLine(["  Start one:             ", dim("huddle spawn claude", colors)], width),
    fitLine(["  Connect those you run: ", dim("huddle connect", colors)], width),
  ];
}

/** What waits for the person, a row each, under a rule. */
export function renderNeedRows(state: TopState, { now, colors }: Look, { width, height }: Box): string[] {
  const { needs, place } = state;
  const chosen = needs.findIndex(({ need }) => need.id === state.need);
  const { start, end } = pageOf(needs.length, chosen, height - 1);
  const open = needs.filter(({ state: one }) => one !== "settled").length;
  const page = end - start < needs.length ? `, ${start + 1}–${end} shown` : "";
  return [
    ruleLine(
      [{ text: `Needs you: ${open}${page}`, paint: open > 0 ? colors.yellow : colors.dim }],
      width,
      colors.dim,
    ),
    ...needs.slice(start, end).map((shown, at) => {
      const mark = markOf(place === "needs", start + at === chosen, colors);
      return mark + fitLine(needPieces(shown, now, colors), width - MARK_WIDTH);
    }),
  ];
}

function needPieces({ need, state }: ShownNeed, now: number, colors: Colors): Cell[] {
  const text = escapeDecision(need.text.replace(/\s+/g, " ").trim());
  if (state === "settled") return [dim(`✓ ${sayNeed(need)}: ${text}`, colors)];
  return [
    { text: state === "working" ? "… " : "? ", paint: colors.yellow },
    ...(need.agent === null ? [] : [{ text: `${escapeLine(need.agent)} `, paint: colors.bold }]),
    saysOf(need),
    dim(` ${shortSpan(now - Date.parse(need.at))}  `, colors),
    text,
  ];
}

/** `hal asks permission`. */
export function sayNeed(need: ShownNeed["need"]): string {
  return need.agent === null ? saysOf(need) : `${escapeLine(need.agent)} ${saysOf(need)}`;
}

/** A sign besides the colour: where the keys go, and what is chosen in the other list. */
function markOf(hasKeys: boolean, isChosen: boolean, colors: Colors): string {
  if (!isChosen) return "  ";
  return hasKeys ? `${colors.cyan("▸")} ` : `${colors.dim("·")} `;
}

export function dim(text: string, colors: Colors): Cell {
  return { text, paint: colors.dim };
}
