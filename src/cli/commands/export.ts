import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { Option } from "commander";
import type { HubClient, MessageList } from "../../client/hub-client.js";
import { markdownWriter } from "../../client/render-markdown.js";
import { HubError } from "../../model/errors.js";
import { readMoment } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeJson, escapeLine } from "../escape-text.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";

type ExportOptions = { format: "jsonl" | "md"; since?: string; out?: string };
type Message = MessageList["messages"][number];
type Turn = NonNullable<MessageList["turns"]>[number];

const PAGE = 500;

export const define: DefineCommand = (command, act) => {
  command
    .addOption(
      new Option("--format <format>", "one JSON object per line, or Markdown")
        .choices(["jsonl", "md"])
        .default("jsonl"),
    )
    .option("--since <time>", "begin this long ago, such as 10m, or at an ISO time")
    .option("--out <file>", "write into this new file instead of printing")
    .action((options: ExportOptions) => act((cli) => exportMessages(cli, options)));
};

async function exportMessages(cli: CliContext, options: ExportOptions): Promise<number> {
  const since = options.since === undefined ? undefined : readMoment("--since", options.since, cli.io.now());
  const client = await cli.client();
  const render =
    options.format === "md"
      ? markdownWriter(escapeLine)
      : (one: Message | Turn) => `${escapeJson("turn" in one ? { type: "turn", ...one } : one)}\n`;
  const target = options.out === undefined ? standardOutput(cli) : newFile(options.out);
  const count = { messages: 0, turns: 0 };
  let damaged = 0;
  try {
    for await (const one of allInOrder(client, since)) {
      if (one === "damaged") damaged++;
      else {
        await target.write(render(one));
        count["turn" in one ? "turns" : "messages"]++;
      }
    }
  } finally {
    await target.end();
  }
  if (damaged > 0) {
    const events = damaged === 1 ? "1 event is" : `${damaged} events are`;
    cli.output.note(`The journal is damaged: ${events} left out, with the messages in them.`);
  }
  const code = damaged > 0 ? EXIT_FAILED : EXIT_OK;
  if (options.out === undefined) return code;
  const file = options.out;
  cli.output.confirm({ file, ...count }, () => {
    const what = [
      countOf(count.messages, "message"),
      ...(count.turns === 0 ? [] : [countOf(count.turns, "turn")]),
    ];
    const verb = count.messages + count.turns === 1 ? "is" : "are";
    return `${cli.output.colors.green("✓")} ${what.join(" and ")} ${verb} in ${escapeLine(file)}`;
  });
  return code;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/**
 * Page by page: an export may be larger than memory. Where the journal is damaged it goes on by ever smaller pages, down to
 * the events that cannot be read, and leaves out only those.
 */
async function* allInOrder(
  client: HubClient,
  since: string | undefined,
): AsyncGenerator<Message | Turn | "damaged"> {
  let after: number | null | undefined;
  let limit = PAGE;
  while (after !== null) {
    const page = await readPage(client, { limit, since, after });
    if (page !== "damaged") {
      yield* [...page.messages, ...(page.turns ?? [])].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
      after = page.next;
      limit = Math.min(PAGE, limit * 2);
    } else if (limit > 1) limit = Math.ceil(limit / 2);
    else {
      yield "damaged";
      const { seq } = (await client.health()).journal;
      after = (after ?? 0) < seq ? (after ?? 0) + 1 : null;
    }
  }
}

type PageAsked = { limit: number; since: string | undefined; after: number | undefined };

async function readPage(
  client: HubClient,
  { limit, since, after }: PageAsked,
): Promise<MessageList | "damaged"> {
  try {
    return await client.listMessages({
      limit,
      turns: "true",
      ...(since === undefined ? {} : { since }),
      ...(after === undefined ? {} : { after }),
    });
  } catch (error) {
    // Before the first page of a time it is not known where in the journal that is.
    const isPlaced = after !== undefined || since === undefined;
    if (!isPlaced || !(error instanceof HubError) || error.code !== "DATA_CORRUPT") throw error;
    return "damaged";
  }
}

type Target = { write(text: string): Promise<void>; end(): Promise<void> };

function standardOutput({ io, output }: CliContext): Target {
  return {
    async write(text) {
      io.stdout.write(text);
      await output.drained();
    },
    end: () => Promise.resolve(),
  };
}

/** For this user only, and never over one that exists. */
function newFile(file: string): Target {
  const stream = createWriteStream(file, { flags: "wx", mode: 0o600 });
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  return {
    async write(text) {
      if (failure !== undefined) throw cannotWrite(file, failure);
      if (stream.write(text)) return;
      const over = new AbortController(); // Or the listeners of the one that did not come would gather.
      const { signal } = over;
      await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).finally(() =>
        over.abort(),
      );
    },
    async end() {
      stream.end();
      try {
        await finished(stream);
      } catch (error) {
        throw cannotWrite(file, error);
      }
    },
  };
}

function cannotWrite(file: string, error: unknown): HubError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST")
    return new HubError("FILE_EXISTS", `${file} exists already; choose another name`, { file });
  const reason = error instanceof Error ? error.message : String(error);
  return new HubError("FILE_UNUSABLE", `${file} cannot be written (${reason})`, { file }, { cause: error });
}
