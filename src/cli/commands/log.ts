import { InvalidArgumentError } from "commander";
import type { InboxPage, SearchPage } from "../../client/hub-client.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskFooter } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import type { Output } from "../output.js";
import { renderTable, shorten } from "../table.js";

type Messages = InboxPage["messages"];
type Turns = NonNullable<SearchPage["turns"]>;
type LogOptions = { limit: number };

const PAGE = 200;
const HEADER = ["WHEN", "FROM", "TO", "TYPE", "ID", "TEXT"];
const TEXT_WIDTH = 60;

export const define: DefineCommand = (command, act) => {
  command
    .argument(
      "[query...]",
      "words, word* and from: to: type: status: source: between: after: before: (type:turn: what agents did)",
    )
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
  const turns: Turns = [];
  let cursor: string | null | undefined;
  while (messages.length + turns.length < limit && cursor !== null) {
    const page = await client.search({
      q: query,
      limit: Math.min(PAGE, limit - messages.length - turns.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    messages.push(...page.messages);
    turns.push(...(page.turns ?? []));
    cursor = page.next;
  }
  const more = typeof cursor === "string";
  const footer = await deskFooter(cli, "messages/ID");
  cli.output.result({ messages, turns, next: cursor ?? null }, () =>
    messages.length + turns.length === 0
      ? "Nothing matches."
      : render(messages, turns, { now: cli.io.now(), output: cli.output }) + footer,
  );
  if (more && !cli.output.json) cli.output.note(`There are more: --limit ${limit * 2} shows them.`);
}

function render(messages: Messages, turns: Turns, { now, output }: { now: number; output: Output }): string {
  const { colors, width } = output;
  const rows = [
    ...messages.map(({ timestamp, content, ...one }) => ({
      ...one,
      at: Date.parse(timestamp),
      text: content,
    })),
    ...turns.map(({ agent, turn, ended, started, excerpt, seq }) => ({
      from: agent,
      to: "",
      type: "turn",
      id: turn,
      seq: seq ?? 0,
      at: Date.parse(ended ?? started),
      text: excerpt,
    })),
  ].sort((a, b) => b.seq - a.seq);
  return renderTable(
    HEADER.map((text) => ({ text, paint: colors.dim })),
    rows.map((row) => {
      const text = escapeLine(row.text.replace(/\s+/g, " ").trim());
      return [
        relativeTime(row.at, now),
        { text: escapeLine(row.from), paint: colors.bold },
        escapeLine(row.to),
        row.type,
        { text: escapeLine(row.id), paint: colors.dim },
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
