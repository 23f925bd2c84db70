import { readMoment } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";

const PRUNE_MS = 3_600_000;

const because = {
  unfinished: "Mail that waits and open requests keep their events, and all after them.",
  newest: "The newest event always stays.",
} as const;

export const define: DefineCommand = (command, act) => {
  command
    .requiredOption("--before <time>", "delete what is older than this: 90d, or an ISO time")
    .addHelpText(
      "after",
      "\nUnread messages and open requests are kept, however old. Only a backup brings deleted messages back.",
    )
    .action(({ before }: { before: string }) => act((cli) => prune(cli, before)));
};

async function prune(cli: CliContext, before: string): Promise<void> {
  const moment = readMoment("--before", before, cli.io.now());
  const client = await cli.client();
  const pruned = await client.prune(moment, { timeoutMs: cli.timeoutMs(PRUNE_MS) });
  cli.output.confirm(pruned, () => {
    const tick = cli.output.colors.green("✓");
    const what = pruned.events === 1 ? "1 event is" : `${pruned.events} events are`;
    const headline =
      pruned.events === 0
        ? `${tick} There is nothing older to delete`
        : `${tick} ${what} deleted; the journal begins at ${pruned.first}`;
    return pruned.kept_by === null ? headline : `${headline}\n  ${because[pruned.kept_by]}`;
  });
}
