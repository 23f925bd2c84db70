import stringWidth from "string-width";
import type { InboxPage, NeedsYou } from "../client/hub-client.js";
import type { DeskPlace } from "../model/desk-link.js";
import { formatSpan, relativeTime } from "./amounts.js";
import { escapeBlock, escapeDecision, escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";
import { shortenIds, shortId } from "./short-id.js";
import { renderTable, shorten } from "./table.js";
import { indentText } from "./wrap-text.js";

type Message = InboxPage["messages"][number];

export type InboxLook = { now: number; colors: Colors; width: number | undefined };

/**
 * Who and when, then the text: beside it if it is one line that fits, else below and indented, so that no text can pass for
 * another message. `number`: what `huddle reply` takes.
 */
export function renderMessage(message: Message, look: InboxLook, number?: number): string {
  const { now, colors, width } = look;
  const kind = message.type === "message" ? "" : ` ${message.type}`;
  const answers = message.reply_to === undefined ? "" : `, answers ${shortId(message.reply_to)}`;
  const when = `${relativeTime(Date.parse(message.timestamp), now)}${answers}`;
  const nth = number === undefined ? "" : `${number}  `;
  const name = escapeLine(message.from);
  const from = width === undefined ? name : shorten(name, Math.floor(width / 2));
  const head = `${nth}${colors.bold(from)}${kind}  ${colors.dim(when)}`;
  const text = escapeBlock(message.content);
  const used = stringWidth(`${nth}${from}${kind}  ${when}  `);
  const fits = !text.includes("\n") && used + stringWidth(text) <= (width ?? USUAL_WIDTH);
  const context =
    message.context === undefined
      ? ""
      : `\n${indentText(`context: ${escapeBlock(message.context)}`, width, INDENT)}`;
  return `${head}${fits ? `  ${text}` : `\n${indentText(text, width, INDENT)}`}${colors.dim(context)}`;
}

/** In one line: it was shown whole before. */
export function renderBriefly(message: Message, look: InboxLook, number?: number): string {
  const { now, colors, width } = look;
  const nth = number === undefined ? "" : `${number}  `;
  const from = escapeLine(message.from);
  const when = relativeTime(Date.parse(message.timestamp), now);
  const used = stringWidth(`${nth}${from}  ${when}  `);
  const text = shorten(escapeLine(message.content), Math.max(MIN_TEXT, (width ?? USUAL_WIDTH) - used));
  return `${nth}${from}  ${colors.dim(when)}  ${text}`;
}

const USUAL_WIDTH = 80;
const MIN_TEXT = 20;
const INDENT = "   ";

type Need = NeedsYou["items"][number];

/** What waits for the person besides mail, each with the commands that answer it. */
export function renderNeeds(
  needs: readonly Need[],
  look: InboxLook,
  link: (place: DeskPlace) => string,
): string {
  return needs
    .map((need) => renderNeed(need, needs, look) + link({ page: "needs-you", id: need.id }))
    .join("\n\n");
}

const says: Readonly<Record<Need["kind"], string>> = {
  permission: "asks permission",
  dialog: "has a dialog on its screen that only you can answer",
  budget: "A conversation is paused",
  question: "wrote",
  bounce: "A message came back",
  stalled: "says nothing",
  approval: "waits for your approval",
  limit: "reached a usage limit",
};

/** Of an agent or a workflow it is what it used; of a conversation, how long it went on without the person. */
export function saysOf({ kind, id, agent }: Need): string {
  if (kind !== "budget" || !id.startsWith("budget-")) return says[kind];
  return agent === null ? "A workflow is at its budget" : "is at its budget";
}

function renderNeed(need: Need, all: readonly Need[], { now, colors, width }: InboxLook): string {
  const { agent, text, at, expires, actions } = need;
  const who = agent === null ? "" : `${colors.bold(escapeLine(agent))} `;
  const since = relativeTime(Date.parse(at), now);
  const left = expires === null ? "" : `, ${formatSpan(Date.parse(expires) - now)} left`;
  const rows = actions.map(({ command, label }) => [
    escapeLine(shortCommand(command, need, all)),
    { text: escapeLine(label), paint: colors.dim },
  ]);
  const ways = renderTable(undefined, rows, width === undefined ? undefined : width - 2);
  return [
    `${colors.yellow("?")} ${who}${saysOf(need)} ${colors.dim(`(${since}${left})`)}`,
    indentText(escapeDecision(text), width),
    ...(rows.length === 0 ? [] : ways.split("\n").map((line) => `  ${line}`)),
  ].join("\n");
}

/** An agent that asks one thing is named; else the end of the id is enough. */
export function shortCommand(command: string, { id, kind, agent }: Need, all: readonly Need[]): string {
  const asks = all.filter((one) => one.kind === "permission" && one.agent === agent).length;
  const named = kind === "permission" && agent !== null && asks === 1;
  return shortenIds(named ? command.replaceAll(id, agent) : command);
}
