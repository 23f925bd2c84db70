import type { InboxPage, PermissionList } from "../client/hub-client.js";
import { clockTime } from "./amounts.js";
import { escapeBlock, escapeLine } from "./escape-text.js";
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

const DETAILS_MOST = 500;

/** Permission requests, each with the command that answers it. */
export function renderPermissions({ permissions }: PermissionList, colors: Colors): string {
  return permissions.map((asked) => renderOne(asked, colors)).join("\n\n");
}

function renderOne(
  { id, agent, tool, title, act, details, expires_in_seconds }: PermissionList["permissions"][number],
  colors: Colors,
): string {
  const left = expires_in_seconds === null ? "" : colors.dim(` (${expires_in_seconds} s left)`);
  const exactly = escapeLine(JSON.stringify(details) ?? "").slice(0, DETAILS_MOST);
  return [
    `${colors.yellow("?")} ${colors.bold(escapeLine(agent))} asks permission to ${escapeLine(act)}: ${escapeLine(title)}${left}`,
    `  ${escapeLine(tool)} ${exactly}`,
    `  huddle approve ${escapeLine(id)}   huddle deny ${escapeLine(id)}`,
  ].join("\n");
}
