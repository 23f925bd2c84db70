import { InvalidArgumentError } from "commander";
import type { InboxPage, SearchPage } from "../../client/hub-client.js";
import { nearest } from "../../model/nearest.js";
import { searchFilters, splitSearch } from "../../model/search-query.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskFooter } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import type { Output } from "../output.js";
import { isId, isIdPart, shortId } from "../short-id.js";
import { renderTable } from "../table.js";
import { usageError } from "../usage-error.js";

type Messages = InboxPage["messages"];
type Turns = NonNullable<SearchPage["turns"]>;
type LogOptions = { limit: number };

const PAGE = 200;
const HEADER = ["WHEN", "FROM", "TO", "TYPE", "ID", "TEXT"];

export const define: DefineCommand = (command, act) => {
  command
    .argument(
      "[query...]",
      "the end of a message's id, or words, word* and from: to: type: status: source: between: after: before: (type:turn: what agents did)",
    )
    .option("--limit <number>", "at most this many", parseLimit, 50)
    .action((words: string[], options: LogOptions) => act((cli) => log(cli, words.join(" "), options)));
};

async function log(cli: CliContext, query: string, { limit }: LogOptions): Promise<void> {
  checkFilters(query);
  const client = await cli.client();
  if (isIdPart(query) || isId(query)) {
    const { findAnyMessage, renderStatus } = await import("../show-message.js");
    const found = await findAnyMessage(client, query);
    if (found !== undefined) return cli.output.result(found, () => renderStatus(found, cli));
  }
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
  const footer = await deskFooter(cli, "log");
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
        { text: shortId(row.id), paint: colors.dim },
        text,
      ];
    }),
    width,
  );
}

/** A word such as `form:ann` would be looked for as it stands, and found nowhere. */
function checkFilters(query: string): void {
  for (const { filter, written } of splitSearch(query)) {
    const name = filter === undefined ? /^([a-z_]{2,}):(?!\/\/)[^:]/i.exec(written)?.[1] : undefined;
    if (name === undefined) continue;
    const meant = nearest(name.toLowerCase(), searchFilters);
    throw usageError(
      `There is no filter "${name}:"${meant === undefined ? "" : `. Did you mean ${meant}:?`}`,
      `Filters: ${searchFilters.map((one) => `${one}:`).join(" ")}\nTo look for the words: huddle log '"${written}"'`,
    );
  }
}

function parseLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new InvalidArgumentError("Give a number from 1 to 999999.");
}
