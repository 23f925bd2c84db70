import type { Usage } from "../../client/hub-client.js";
import { type UsageKind, usageKinds } from "../../model/usage.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { renderTable } from "../table.js";
import { usageError } from "../usage-error.js";
import { wrapText } from "../wrap-text.js";

type Options = { by: string; limit?: string };

const LIMIT = 50;

export const define: DefineCommand = (command, act) => {
  command
    .option("--by <what>", usageKinds.join(", "), "agent")
    .option("--limit <n>", `how many, the newest first (default ${LIMIT})`)
    .action((options: Options) => act((cli) => show(cli, options)));
};

async function show(cli: CliContext, { by: asked, limit: most }: Options): Promise<void> {
  const by = usageKinds.find((kind) => kind === asked);
  if (by === undefined) throw usageError(`--by is ${usageKinds.join(", ")}`, "huddle usage --by agent");
  const limit = most === undefined ? LIMIT : Number(most);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw usageError("--limit is a number from 1 to 500", "huddle usage --limit 50");
  const client = await cli.client();
  const { usage, next } = await client.usage({ by, limit });
  cli.output.result({ usage, next }, () => {
    if (usage.length === 0) return "No turns yet.";
    const rows = usage.map((row) => [
      escapeLine(row.name ?? row.key),
      String(row.turns),
      isTold(row) ? String(row.input_tokens) : "–",
      isTold(row) ? String(row.output_tokens) : "–",
      costOf(row),
    ]);
    const notes = [
      ...(usage.some(({ cost_partial }) => cost_partial === true)
        ? ["+: of some turns no vendor told the cost."]
        : []),
      ...(usage.every(isTold)
        ? []
        : [
            "–: nothing was told. Agents in tmux panes tell no usage, nor do some CLIs: no budget holds them.",
          ]),
    ];
    const { width } = cli.output;
    const columns = [header(by), "TURNS", "TOKENS IN", "TOKENS OUT", "COST"];
    return [renderTable(columns, rows, width), ...notes.map((note) => wrapText(note, width))].join("\n");
  });
}

/** Turns without a single token were not free: nobody told what they used. */
function isTold({ input_tokens, output_tokens, cost_usd, turns }: Usage["usage"][number]): boolean {
  return turns === 0 || input_tokens + output_tokens > 0 || cost_usd !== null;
}

function header(by: UsageKind): string {
  return by.toUpperCase();
}

function costOf({ cost_usd, cost_partial }: Usage["usage"][number]): string {
  if (cost_usd === null) return "–";
  return `$${cost_usd.toFixed(cost_usd < 1 ? 4 : 2)}${cost_partial === true ? " +" : ""}`;
}
