import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { Option } from "commander";
import type { HubClient, MessageList } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { readMoment } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeJson, escapeLine } from "../escape-text.js";
import { markdownWriter } from "../render-markdown.js";

type ExportOptions = { format: "jsonl" | "md"; since?: string; out?: string };
type Message = MessageList["messages"][number];

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

async function exportMessages(cli: CliContext, options: ExportOptions): Promise<void> {
  const since = options.since === undefined ? undefined : readMoment("--since", options.since, cli.io.now());
  const client = await cli.client();
  const render =
    options.format === "md" ? markdownWriter() : (message: Message) => `${escapeJson(message)}\n`;
  const target = options.out === undefined ? standardOutput(cli) : newFile(options.out);
  let count = 0;
  try {
    for await (const message of allMessages(client, since)) {
      await target.write(render(message));
      count++;
    }
  } finally {
    await target.end();
  }
  if (options.out === undefined) return;
  const file = options.out;
  cli.output.confirm({ file, messages: count }, () => {
    const what = count === 1 ? "1 message is" : `${count} messages are`;
    return `${cli.output.colors.green("✓")} ${what} in ${escapeLine(file)}`;
  });
}

/** Page by page: an export may be larger than memory. */
async function* allMessages(client: HubClient, since: string | undefined): AsyncGenerator<Message> {
  let after: number | null | undefined;
  while (after !== null) {
    const page: MessageList = await client.listMessages({
      limit: PAGE,
      ...(since === undefined ? {} : { since }),
      ...(after === undefined ? {} : { after }),
    });
    yield* page.messages;
    after = page.next;
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
      if (!stream.write(text)) await Promise.race([once(stream, "drain"), once(stream, "close")]);
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
