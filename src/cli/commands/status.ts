import type { Health, HealthDetails, HubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { formatSize } from "../../model/format-size.js";
import { counted, formatSpan, relativeTime } from "../amounts.js";
import type { DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import type { Colors } from "../output.js";
import { wrapText } from "../wrap-text.js";

export const define: DefineCommand = (command, act) => {
  command
    .option("--line", "one short line for a prompt or tmux; nothing, and exit code 0, where no hub runs")
    .action((options: { line?: true }) =>
      act(async (cli) => {
        if (options.line === true) return (await import("../status-line.js")).printStatusLine(cli);
        const client = await cli.client();
        const health = await client.health();
        const details = await readDetails(client);
        const result = details === undefined ? health : { ...health, details };
        cli.output.result(result, () =>
          render(health, details, { now: cli.io.now(), colors: cli.output.colors, width: cli.output.width }),
        );
        return health.ok ? EXIT_OK : EXIT_FAILED;
      }),
    );
};

/** Only the operator gets them, and an older hub has none: what it says of itself is shown all the same. */
async function readDetails(client: HubClient): Promise<HealthDetails | undefined> {
  try {
    return await client.healthDetails();
  } catch (error) {
    if (error instanceof HubError) return undefined;
    throw error;
  }
}

type Row = [name: string, value: string];

function render(
  health: Health,
  details: HealthDetails | undefined,
  { now, colors, width }: { now: number; colors: Colors; width: number | undefined },
): string {
  const rows: Row[] = [
    ...problemsOf(health, details).map((problem): Row => ["problem", problem]),
    ["url", health.url],
    ["pid", String(health.pid)],
    ["version", health.version],
    ["uptime", formatSpan(now - Date.parse(health.started))],
    ["data", health.data],
    ["agents", String(health.agents)],
    ["unread", String(health.unread ?? "unknown")],
    ["readers", String(health.readers)],
    ["journal", `seq ${health.journal.seq}, WAL ${formatSize(health.journal.wal_bytes)}`],
    ["memory", formatSize(health.memory_bytes)],
    ...(details === undefined ? [] : detailRows(details, now)),
  ];
  const left = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .map(([name, value]) => {
      const room = width === undefined ? undefined : width - left;
      const lines = wrapText(escapeLine(value), room).split("\n");
      return colors.dim(name) + " ".repeat(left - name.length) + lines.join(`\n${" ".repeat(left)}`);
    })
    .join("\n");
}

function problemsOf(health: Health, details: HealthDetails | undefined): string[] {
  if (details === undefined) return health.error === undefined ? [] : [health.error];
  return details.problems.map(({ kind, text, next }) => (kind === "hub" ? text : `${text}. ${next}`));
}

function detailRows({ journal, commits, disk, views, limits, budgets }: HealthDetails, now: number): Row[] {
  const oldest = journal.oldest === null ? "" : `, oldest ${relativeTime(Date.parse(journal.oldest), now)}`;
  const behind = views.filter((view) => view.behind > 0).map((view) => `${view.name} ${view.behind} behind`);
  const most = limits.filter(({ used }) => used > 0);
  return [
    [
      "events",
      `${journal.events} in ${formatSize(journal.bytes)}${oldest}; the file is ${journal.integrity}`,
    ],
    [
      "commits",
      commits.median_ms === null
        ? "none yet"
        : `${commits.median_ms.toFixed(1)} ms, median of ${commits.count}`,
    ],
    [
      "disk",
      disk === null
        ? "unknown"
        : `${formatSize(disk.free_bytes)} free, stops at ${formatSize(disk.reserve_bytes)}`,
    ],
    ["views", behind.length === 0 ? "up to date" : behind.join(", ")],
    ...most.map(({ key, used, most: cap }): Row => [key, `${used} of ${cap === 0 ? "any" : cap}`]),
    ...(budgets.reached.length === 0
      ? []
      : [["budgets", `${counted(budgets.reached.length, "budget")} used up: huddle inbox`] satisfies Row]),
  ];
}
