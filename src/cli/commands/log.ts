import { InvalidArgumentError } from "commander";
import type { InboxPage } from "../../client/hub-client.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskFooter } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import type { Output } from "../output.js";
import { renderTable, shorten } from "../table.js";

type Messages = InboxPage["messages"];
type LogOptions = { limit: number };

const PAGE = 200;
const HEADER = ["WHEN", "FROM", "TO", "TYPE", "ID", "TEXT"];
const TEXT_WIDTH = 60;

export const define: DefineCommand = (command, act) => {
  command
    .argument("[query...]", "words, and from: to: type: status: source: between: after:")
    .option("--limit <number>", "at most this many", parseLimit, 50)
    .addHelpText(
      "after",
      "\nExamples:\n  huddle log auth from:puppet-dev after:2h\n  huddle log '\"not found\"' status:undelivered\n  huddle log between:agents\n  huddle log source:applet after:1d",
    )
    .action((words: string[], options: LogOptions) => act((cli) => log(cli, words.join(" "), options)));
};

async function log(cli: CliContext, query: string, { limit }: LogOptions): Promise<void> {
  const client = await cli.client();
  const messages: Messages = [];
  let cursor: string | null | undefined;
  while (messages.length < limit && cursor !== null) {
    const page = await client.search({
      q: query,
      limit: Math.min(PAGE, limit - messages.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    messages.push(...page.messages);
    cursor = page.next;
  }
  const more = typeof cursor === "string";
  const footer = await deskFooter(cli, "messages/ID");
  cli.output.result({ messages, next: cursor ?? null }, () =>
    messages.length === 0 ? "No message matches." : render(messages, cli.io.now(), cli.output) + footer,
  );
  if (more && !cli.output.json) cli.output.note(`There are more: --limit ${limit * 2} shows them.`);
}

function render(messages: Messages, now: number, { colors, width }: Output): string {
  return renderTable(
    HEADER.map((text) => ({ text, paint: colors.dim })),
    messages.map((message) => {
      const text = escapeLine(message.content.replace(/\s+/g, " ").trim());
      return [
        relativeTime(Date.parse(message.timestamp), now),
        { text: escapeLine(message.from), paint: colors.bold },
        escapeLine(message.to),
        message.type,
        { text: escapeLine(message.id), paint: colors.dim },
        width === undefined ? text : shorten(text, Math.max(TEXT_WIDTH, width - 90)),
      ];
    }),
  );
}

function parseLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new InvalidArgumentError("Give a number from 1 to 999999.");
}
