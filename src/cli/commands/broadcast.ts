import type { CliContext } from "../context.js";
import type { DefineCommand } from "../define-command.js";
import { escapeLine } from "../escape-text.js";
import { messageText } from "../message-text.js";
import { usageError } from "../usage-error.js";

type BroadcastOptions = { team?: string; all?: true };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[text]", "the message; - or nothing takes it from the pipe")
    .option("--team <team>", "only the agents of this team")
    .option("--all", "every agent")
    .action((text: string | undefined, options: BroadcastOptions) =>
      act((cli) => broadcast(cli, text, options)),
    );
};

async function broadcast(
  cli: CliContext,
  given: string | undefined,
  { team, all }: BroadcastOptions,
): Promise<void> {
  if ((team === undefined) === (all !== true)) {
    throw usageError("Say to whom", "Either --team NAME or --all");
  }
  const message = await messageText(cli, given, "huddle broadcast --all");
  const client = await cli.client();
  const sent = await client.broadcast({ message, ...(team === undefined ? {} : { team }) });
  const result = { message_id: sent.message_id, successful: sent.delivered_to, failed: sent.failed };
  cli.output.confirm(result, () => {
    const lines = [
      `${cli.output.colors.green("✓")} ${sent.delivered_to.length} agents have it in their inbox`,
    ];
    if (sent.failed.length > 0) lines.push(`Not taken by: ${sent.failed.map(escapeLine).join(", ")}`);
    return lines.join("\n  ");
  });
}
