import type { InboxPage, NeedsYou } from "../client/hub-client.js";
import type { DeskPlace } from "../model/desk-link.js";
import { clockTime, formatSpan, relativeTime } from "./amounts.js";
import { escapeBlock, escapeDecision, escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";

type Message = InboxPage["messages"][number];

/** A line of who and when, then the text, indented so that no text can pass for such a line. */
export function renderMessage(message: Message, colors: Colors): string {
  const kind = message.type === "message" ? "" : ` ${message.type}`;
  const answers = message.reply_to === undefined ? "" : `, answers ${escapeLine(message.reply_to)}`;
  const again = message.repeated === true ? ", shown before" : "";
  const details = colors.dim(`(${escapeLine(message.id)}${answers}${again})`);
  const head = `${clockTime(Date.parse(message.timestamp))} ${colors.bold(escapeLine(message.from))}${kind} ${details}`;
  return `${head}\n${indent(escapeBlock(message.content))}${context(message, colors)}`;
}

function context(message: Message, colors: Colors): string {
  return message.context === undefined
    ? ""
    : `\n${indent(colors.dim(`context: ${escapeBlock(message.context)}`))}`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

type Need = NeedsYou["items"][number];

/** What waits for the person besides mail, each with the commands that answer it. */
export function renderNeeds(
  needs: readonly Need[],
  now: number,
  colors: Colors,
  link: (place: DeskPlace) => string,
): string {
  return needs
    .map((need) => renderNeed(need, now, colors) + link({ page: "needs-you", id: need.id }))
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
function saysOf({ kind, id, agent }: Need): string {
  if (kind !== "budget" || !id.startsWith("budget-")) return says[kind];
  return agent === null ? "A workflow is at its budget" : "is at its budget";
}

function renderNeed(need: Need, now: number, colors: Colors): string {
  const { agent, text, at, expires, actions } = need;
  const who = agent === null ? "" : `${colors.bold(escapeLine(agent))} `;
  const since = relativeTime(Date.parse(at), now);
  const left = expires === null ? "" : `, ${formatSpan(Date.parse(expires) - now)} left`;
  const width = Math.max(0, ...actions.map(({ command }) => command.length));
  return [
    `${colors.yellow("?")} ${who}${saysOf(need)} ${colors.dim(`(${since}${left})`)}`,
    indent(escapeDecision(text)),
    ...actions.map(
      ({ command, label }) => `  ${escapeLine(command).padEnd(width)}   ${colors.dim(escapeLine(label))}`,
    ),
  ].join("\n");
}
