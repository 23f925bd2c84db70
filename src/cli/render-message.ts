import type { InboxPage } from "../client/hub-client.js";
import { escapeBlock, escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";
import { clockTime } from "./relative-time.js";

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
