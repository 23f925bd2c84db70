import type { Health } from "../../client/hub-client.js";
import { formatBytes, formatSpan } from "../amounts.js";
import type { DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import type { Colors } from "../output.js";
import { renderTable } from "../table.js";

export const define: DefineCommand = (command, act) => {
  command.action(() =>
    act(async (cli) => {
      const client = await cli.client();
      const health = await client.health();
      cli.output.result(health, () => render(health, cli.io.now(), cli.output.colors));
      return health.ok ? EXIT_OK : EXIT_FAILED;
    }),
  );
};

function render(health: Health, now: number, colors: Colors): string {
  const rows: [string, string][] = [
    ...(health.error === undefined ? [] : [["problem", health.error] satisfies [string, string]]),
    ["url", health.url],
    ["pid", String(health.pid)],
    ["version", health.version],
    ["uptime", formatSpan(now - Date.parse(health.started))],
    ["data", health.data],
    ["agents", String(health.agents)],
    ["unread", String(health.unread ?? "unknown")],
    ["readers", String(health.readers)],
    ["journal", `seq ${health.journal.seq}, WAL ${formatBytes(health.journal.wal_bytes)}`],
    ["memory", formatBytes(health.memory_bytes)],
  ];
  return renderTable(
    undefined,
    rows.map(([name, value]) => [{ text: name, paint: colors.dim }, escapeLine(value)]),
  );
}
