import { Option } from "commander";
import type { HubClient } from "../../client/hub-client.js";
import { adoptUnregistered } from "../adopt-unregistered.js";
import { awaitEachInjected } from "../await-injected.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_OK, exitCodeOf } from "../exit-codes.js";
import { messageText } from "../message-text.js";
import { usageError } from "../usage-error.js";
import { wrapText } from "../wrap-text.js";

type Sent = Awaited<ReturnType<HubClient["broadcast"]>>;
type BroadcastOptions = { team?: string; all?: true; yes?: true; socket?: string; confirm?: true };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[text...]", "the message; - or nothing reads it from stdin")
    .option("--team <team>", "only the agents of this team")
    .addOption(
      new Option(
        "--all",
        "every agent, and every agent-* session of tmux, which is adopted after a yes",
      ).conflicts("team"),
    )
    .option("--yes", "with --all: adopt those sessions without asking")
    .option("--socket <socket>", "with --all: the tmux server, a name as for tmux -L, or a path as for -S")
    .option(
      "--confirm",
      "wait until each agent has received it; those that have not in time are listed as failed",
    )
    .action((text: string[], options: BroadcastOptions) => act((cli) => broadcast(cli, text, options)));
};

async function broadcast(
  cli: CliContext,
  given: readonly string[],
  { team, confirm, all, yes, socket }: BroadcastOptions,
): Promise<number> {
  if (all !== true && (yes === true || socket !== undefined))
    throw usageError("--yes and --socket are for --all", "Say --all, or leave them out");
  const message = await messageText(cli, given, "huddle broadcast");
  const client = await cli.client();
  const sessions =
    all === true ? await adoptUnregistered(cli, client, { yes: yes === true, socket }) : undefined;
  const sent = await client.broadcast({ message, ...(team === undefined ? {} : { team }) });
  const had =
    confirm === true
      ? await confirmed(cli, client, sent)
      : { successful: sent.delivered_to, failed: sent.failed };
  const { successful } = had;
  const failed = [...had.failed, ...(sessions?.skipped ?? [])];
  const result = {
    message_id: sent.message_id,
    delivered_to: sent.delivered_to,
    successful,
    failed,
    ...(sessions === undefined ? {} : { adopted: sessions.adopted }),
  };
  // In the inbox it is safe; who asks for a confirmation wants to know whether somebody has it.
  const isTaken = confirm !== true || successful.length > 0;
  cli.output.confirm(result, () => {
    const count = successful.length;
    const who = count === 1 ? "1 agent has it" : `${count} agents have it`;
    const { colors } = cli.output;
    const mark = isTaken ? colors.green("✓") : colors.red("✗");
    const lines = [
      `${mark} ${isTaken ? who : "Nobody has taken it"}${confirm === true ? "" : " in the inbox"}`,
    ];
    if (failed.length > 0) lines.push(`Not taken by: ${failed.map(escapeLine).join(", ")}`);
    return lines.flatMap((line) => wrapText(line, cli.output.width).split("\n")).join("\n  ");
  });
  return isTaken ? EXIT_OK : exitCodeOf("TIMED_OUT");
}

async function confirmed(cli: CliContext, client: HubClient, sent: Sent) {
  const { successful, failed } = await awaitEachInjected(cli, client, sent.message_id);
  return { successful, failed: [...failed, ...sent.failed] };
}
