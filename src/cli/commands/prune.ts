import { counted, readMoment, relativeTime } from "../amounts.js";
import { askYes, canAsk } from "../ask-yes.js";
import type { CliContext, DefineCommand } from "../context.js";

const PRUNE_MS = 3_600_000;

type PruneOptions = { before: string; yes?: true; dryRun?: true };

const because = {
  unfinished: "Mail that waits and open requests keep their events, and all after them.",
  newest: "The newest event always stays.",
} as const;

export const define: DefineCommand = (command, act) => {
  command
    .requiredOption("--before <time>", "delete what is older than this: 90d, or an ISO time")
    .option("-n, --dry-run", "only say what would be deleted")
    .option("-y, --yes", "do not ask on a terminal")
    .addHelpText(
      "after",
      "\nUnread messages and open requests are kept, however old. Only a backup brings deleted messages back.",
    )
    .action((options: PruneOptions) => act((cli) => prune(cli, options)));
};

async function prune(cli: CliContext, { before, yes, dryRun }: PruneOptions): Promise<void> {
  const moment = readMoment("--before", before, cli.io.now());
  const client = await cli.client();
  if (dryRun === true || (yes !== true && !cli.output.json && canAsk(cli))) {
    const { total } = await client.searchCount({ before: moment });
    const what =
      total === null ? "Messages" : `Up to ${counted(total, "message and turn", "messages and turns")}`;
    const said = `${what} from before ${sayMoment(moment, cli.io.now())} would be deleted`;
    if (dryRun === true) {
      cli.output.result({ before: moment, most: total }, () => `${said}.`);
      return;
    }
    if (!(await askYes(cli, `${said}; only a backup brings them back. Delete them?`))) {
      cli.output.note("Nothing was deleted.");
      return;
    }
  }
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

function sayMoment(iso: string, now: number): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC (${relativeTime(Date.parse(iso), now)})`;
}
