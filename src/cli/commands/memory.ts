import type { MemoryList } from "../../client/hub-client.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { messageText } from "../message-text.js";
import { renderTable } from "../table.js";

type Memories = MemoryList["memories"];

const HEADER = ["NAME", "VERSION", "BY", "WHEN", "BYTES"];
const PAGE = 500;

export const define: DefineCommand = (command, act) => {
  command
    .addHelpText("after", "\nWithout arguments it lists what was shared. All agents of the hub can read it.")
    .action(() => act((cli) => list(cli)));
  command
    .command("list")
    .description("list what was shared, with the newest version of each")
    .action(() => act((cli) => list(cli)));
  command
    .command("show")
    .description("print one")
    .argument("<name>", "its name, such as notes/login.md")
    .argument("[version]", "an older version; default: the newest", Number)
    .action((name: string, version: number | undefined) => act((cli) => show(cli, name, version)));
  command
    .command("share")
    .description("write the next version of one")
    .argument("<name>", "its name, such as notes/login.md")
    .argument("[text]", "what it says; - or nothing reads it from stdin")
    .option("--to <agents...>", "tell these agents of it")
    .addHelpText("after", "\nExample:\n  huddle memory share notes/login.md < login.md --to ana")
    .action((name: string, text: string | undefined, options: { to?: string[] }) =>
      act((cli) => share(cli, { name, text, to: options.to })),
    );
};

async function list(cli: CliContext): Promise<void> {
  const client = await cli.client();
  const memories: Memories = [];
  let cursor: string | null = null;
  do {
    const page: MemoryList = await client.memories({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    memories.push(...page.memories);
    cursor = page.next;
  } while (cursor !== null);
  cli.output.result({ memories }, () => {
    if (memories.length === 0) return "Nothing was shared yet.";
    const { colors } = cli.output;
    const rows = memories.map(({ name, version, by, at, bytes }) => [
      { text: escapeLine(name), paint: colors.bold },
      String(version),
      escapeLine(by),
      relativeTime(Date.parse(at), cli.io.now()),
      String(bytes),
    ]);
    return renderTable(
      HEADER.map((text) => ({ text, paint: colors.dim })),
      rows,
      cli.output.width,
    );
  });
}

async function show(cli: CliContext, name: string, version: number | undefined): Promise<void> {
  const client = await cli.client();
  const memory = await client.memory(name, version === undefined ? {} : { version });
  cli.output.result(memory, () => escapeBlock(memory.content));
}

type Share = { name: string; text: string | undefined; to: string[] | undefined };

async function share(cli: CliContext, { name, text, to }: Share): Promise<void> {
  const content = await messageText(cli, text === undefined ? [] : [text], "huddle memory share NAME");
  const client = await cli.client();
  const shared = await client.shareMemory({ name, content, ...(to === undefined ? {} : { to }) });
  cli.output.result(shared, () => {
    const what = shared.is_new ? "is shared" : "says the same already";
    const told =
      shared.told.length === 0 ? "" : `; ${shared.told.map(escapeLine).join(", ")} will hear of it`;
    return `${cli.output.colors.green("✓")} ${escapeLine(name)}, version ${shared.version}, ${what}${told}`;
  });
}
