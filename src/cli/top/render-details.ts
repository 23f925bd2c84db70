import { stateCell } from "../agent-state.js";
import { formatSpan, relativeTime, shortSpan } from "../amounts.js";
import { escapeDecision, escapeLine } from "../escape-text.js";
import type { Cell } from "../table.js";
import { wrapText } from "../wrap-text.js";
import { keyedActions } from "./need-keys.js";
import { fitLine, ruleLine, wrapPainted } from "./painted-line.js";
import type { Shown } from "./press-key.js";
import { dim, type Look, sayNeed } from "./render-lists.js";
import {
  type AgentRow,
  chosenAgent,
  chosenNeed,
  type Need,
  type ShownNeed,
  type TopState,
} from "./top-state.js";

type Box = { width: number; height: number };
type Details = { lines: string[]; shown: Shown };

const nothing: Shown = { need: undefined, isEndSeen: false, agent: undefined, page: 0, mostScroll: 0 };

/** What is chosen, as far as it fits: a need with what can be done about it, or an agent with its live output. */
export function renderDetails(state: TopState, look: Look, box: Box): Details {
  const need = state.place === "needs" ? chosenNeed(state) : undefined;
  const agent = chosenAgent(state);
  const details =
    need !== undefined
      ? renderNeed(need, state, look, box)
      : state.place === "needs"
        ? { lines: [ruleLine(["Nothing needs you"], box.width, look.colors.dim)], shown: nothing }
        : agent === undefined
          ? { lines: [], shown: nothing }
          : renderAgent(agent, state, look, box);
  if (box.height === 0) return { lines: [], shown: { ...details.shown, need: undefined, isEndSeen: false } };
  return details;
}

function renderNeed({ need, state: mark }: ShownNeed, { scroll }: TopState, look: Look, box: Box): Details {
  const { colors, now } = look;
  const { width, height } = box;
  const left = need.expires === null ? "" : `, ${formatSpan(Date.parse(need.expires) - now)} left`;
  const since = `(${relativeTime(Date.parse(need.at), now)}${left})`;
  const title = ruleLine(
    [{ text: sayNeed(need), paint: colors.bold }, dim(` ${since}`, colors)],
    width,
    colors.dim,
  );
  const foot = mark === "open" ? actionLines(need, look, width) : [`  ${colors.dim(endWords[mark])}`];
  const room = height - 1 - foot.length;
  const all = needLines(need, look, width);
  // The line that says that there is more takes the place of one.
  const page = all.length <= room ? room : room - 1;
  const mostScroll = Math.max(0, all.length - page);
  const from = Math.min(scroll, mostScroll);
  const seen = all.slice(from, from + Math.max(0, page)).map((line) => `  ${line}`);
  const below = all.length - from - page;
  const more =
    all.length <= room
      ? []
      : [
          colors.yellow(
            fitLine(
              [below > 0 ? `  ↓ ${below} more lines: Space reads on` : "  ↑ that was all of it"],
              width,
            ),
          ),
        ];
  return {
    lines: [title, ...seen, ...more, ...foot].slice(0, height),
    shown: {
      need: mark === "open" && page > 0 ? need : undefined,
      isEndSeen: below <= 0 && page > 0,
      agent: undefined,
      page: Math.max(1, page),
      mostScroll,
    },
  };
}

/** The rows that the chosen need fills, with its title and its keys. */
export function needHeight(state: TopState, look: Look, width: number): number {
  const chosen = chosenNeed(state);
  if (chosen === undefined) return 1;
  return 1 + needLines(chosen.need, look, width).length + actionLines(chosen.need, look, width).length;
}

function needLines(need: Need, look: Look, width: number): string[] {
  const text = [...factLines(need, look), escapeDecision(need.text.trim())].join("\n");
  return wrapText(text, Math.max(10, width - 2)).split("\n");
}

const endWords = { working: "The hub is told…", settled: "It does not wait any more." } as const;

/** Where it would happen. */
function factLines({ facts }: Need, { home }: Look): string[] {
  if (facts === undefined || !("folder" in facts) || facts.folder === null) return [];
  const { folder } = facts;
  return [`in ${escapeLine(folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder)}`];
}

/** `o Allow once   d No`: the keys, in the words of who asks; what has no key here has its command. */
function actionLines(need: Need, { colors }: Look, width: number): string[] {
  const keyed = keyedActions(need);
  const others = need.actions.filter((one) => !keyed.some(({ action }) => action === one));
  const pieces = [
    ...keyed.map(({ key, action }) => ({ plain: `${key} ${escapeLine(action.label)}`, key })),
    ...others.map(({ command }) => ({ plain: escapeLine(command), key: "" })),
  ];
  const lines: Cell[][] = [];
  let used = width;
  for (const { plain, key } of pieces) {
    if (used + plain.length + 3 > width) {
      lines.push(["  "]);
      used = 2;
    }
    lines.at(-1)?.push({ text: key, paint: colors.cyan }, `${plain.slice(key.length)}   `);
    used += plain.length + 3;
  }
  return lines.map((line) => fitLine(line, width));
}

function renderAgent(agent: AgentRow, state: TopState, look: Look, { width, height }: Box): Details {
  const { colors, now } = look;
  const title = ruleLine(
    [
      { text: escapeLine(agent.name), paint: colors.bold },
      " ",
      stateCell(agent, now, colors),
      dim(` ${shortSpan(now - Date.parse(agent.since))}, ${escapeLine(agent.evidence)}`, colors),
    ],
    width,
    colors.dim,
  );
  const room = Math.max(0, height - 1);
  const output = state.output.about === agent.id ? state.output.text : "";
  const { rows, isAll } = tailRows(output, width, room + state.scroll);
  const mostScroll = isAll ? Math.max(0, rows.length - room) : state.scroll + room;
  const scroll = Math.min(state.scroll, mostScroll);
  const end = rows.length - scroll;
  const seen = rows.slice(Math.max(0, end - room), end);
  const lines = output === "" ? [fitLine([dim(withoutOutput(agent), colors)], width)] : seen;
  return {
    lines: [title, ...lines].slice(0, height),
    shown: { need: undefined, isEndSeen: false, agent, page: Math.max(1, room), mostScroll },
  };
}

/** Why there is nothing to see. */
function withoutOutput({ runtime, tmux }: AgentRow): string {
  if (runtime !== undefined) return "  It has said nothing yet.";
  return tmux === undefined
    ? "  You started it yourself: only its mail is known here (huddle transcript)."
    : "  It is on its own screen: Enter attaches.";
}

/** The last rows of a text that has our own colours: no more of it is broken into rows than is needed. */
function tailRows(text: string, width: number, wanted: number): { rows: string[]; isAll: boolean } {
  const lines = text.replace(/\n$/, "").split("\n");
  let rows: string[] = [];
  let at = lines.length;
  while (at > 0 && rows.length < wanted + 1) {
    at -= 1;
    rows = [...wrapPainted(lines[at] ?? "", width), ...rows];
  }
  return { rows, isAll: at === 0 };
}
