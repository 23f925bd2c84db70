import type { MessageList } from "../client/hub-client.js";
import { escapeBlock, escapeLine } from "./escape-text.js";

type Message = MessageList["messages"][number];

/**
 * Messages as Markdown: a heading for each day (in UTC, so that it reads the same everywhere), one for each message, and
 * its text as a quotation. No text can end its quotation, because every line of it is quoted.
 */
export function markdownWriter(): (message: Message) => string {
  let day = "";
  return (message) => {
    const [date = "", time = ""] = message.timestamp.split("T");
    const heading = date === day ? "" : `${day === "" ? "" : "\n"}# ${date}\n`;
    day = date;
    return `${heading}\n## ${inline(message.from)} → ${inline(message.to)}\n\n${facts(message, time)}\n\n${quotation(message)}\n`;
  };
}

function facts(message: Message, time: string): string {
  const parts = [`${time.slice(0, 8)} UTC`, message.type, `id ${code(message.id)}`];
  if (message.reply_to !== undefined) parts.push(`answers ${code(message.reply_to)}`);
  return `*${parts.join(", ")}*`;
}

function quotation({ content, context }: Message): string {
  const text = context === undefined ? content : `${content}\n\ncontext: ${context}`;
  return escapeBlock(text)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${withoutMarkup(line)}`))
    .join("\n");
}

/** An image would be fetched by whoever looks at the file, and raw HTML is nobody's friend. */
function withoutMarkup(line: string): string {
  return line.replace(/</g, "&lt;").replace(/!(?=\[)/g, "\\!");
}

function inline(text: string): string {
  return escapeLine(text).replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}

function code(text: string): string {
  return `\`${escapeLine(text).replaceAll("`", "'")}\``;
}
