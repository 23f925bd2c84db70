import type { MessageList } from "./hub-client.js";

type Message = MessageList["messages"][number];
type Turn = NonNullable<MessageList["turns"]>[number];

/** How text of others is made safe to look at: one line, in which line breaks are shown. */
type EscapeLine = (text: string) => string;

/**
 * Messages and turns as Markdown: a heading for each day (in UTC, so that it reads the same everywhere), one for each of them,
 * and its text as a quotation. No text can end its quotation, because every line of it is quoted.
 */
export function markdownWriter(escapeLine: EscapeLine): (one: Message | Turn) => string {
  let day = "";
  return (one) => {
    const [date = "", time = ""] = ("turn" in one ? (one.ended ?? one.started) : one.timestamp).split("T");
    const heading = date === day ? "" : `${day === "" ? "" : "\n"}# ${date}\n`;
    day = date;
    return `${heading}\n## ${"turn" in one ? turn(one, time) : message(one, time)}\n`;
  };

  function message(one: Message, time: string): string {
    const { from, to, content, context } = one;
    const text = context === undefined ? content : `${content}\n\ncontext: ${context}`;
    return `${inline(from)} → ${inline(to)}\n\n${facts(one, time)}\n\n${quotation(text)}`;
  }

  /** What it thought and called before what it said. */
  function turn(one: Turn, time: string): string {
    const told = one.messages.length === 0 ? [] : [`told ${one.messages.map(code).join(", ")}`];
    const about = [
      `${time.slice(0, 8)} UTC`,
      "turn",
      `id ${code(one.turn)}`,
      ...told,
      inline(one.stop ?? "open"),
    ];
    const left = Object.entries(one.cut ?? {}).map(([what, count]) => `${count} of ${what} left out`);
    const parts = [
      `*${[...about, ...left].join(", ")}*`,
      one.thoughts === "" ? "" : `Thought:\n\n${quotation(one.thoughts)}`,
      one.tools
        .map(({ title, status, ms }) => `- ${inline(title)}: ${status}${ms === null ? "" : `, ${ms} ms`}`)
        .join("\n"),
      one.text === "" ? "" : quotation(one.text),
      one.error === undefined ? "" : `Error: ${inline(one.error)}`,
    ];
    return `${inline(one.agent)} worked\n\n${parts.filter((part) => part !== "").join("\n\n")}`;
  }

  function facts(message: Message, time: string): string {
    const parts = [`${time.slice(0, 8)} UTC`, message.type, `id ${code(message.id)}`];
    if (message.reply_to !== undefined) parts.push(`answers ${code(message.reply_to)}`);
    return `*${parts.join(", ")}*`;
  }

  function quotation(text: string): string {
    return text
      .replaceAll("\r\n", "\n")
      .split("\n")
      .map((line) => escapeLine(line.replaceAll("\t", "    ")))
      .map((line) => (line === "" ? ">" : `> ${withoutMarkup(line)}`))
      .join("\n");
  }

  function inline(text: string): string {
    return escapeLine(text).replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
  }

  function code(text: string): string {
    return `\`${escapeLine(text).replaceAll("`", "'")}\``;
  }
}

/** An image would be fetched by whoever looks at the file, and raw HTML is nobody's friend. */
function withoutMarkup(line: string): string {
  return line.replace(/</g, "&lt;").replace(/!(?=\[)/g, "\\!");
}
