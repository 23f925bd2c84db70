import { Option } from "commander";
import type { HubClient } from "../../client/hub-client.js";
import { awaitEachInjected } from "../await-injected.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { messageText } from "../message-text.js";

type Sent = Awaited<ReturnType<HubClient["broadcast"]>>;
type BroadcastOptions = { team?: string; all?: true; confirm?: true };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[text]", "the message; - or nothing reads it from stdin")
    .option("--team <team>", "only the agents of this team")
    .addOption(new Option("--all", "every agent, which is the default").conflicts("team"))
    .option(
      "--confirm",
      "wait until each agent has received it; those that have not in time are listed as failed",
    )
    .action((text: string | undefined, options: BroadcastOptions) =>
      act((cli) => broadcast(cli, text, options)),
    );
};

async function broadcast(
  cli: CliContext,
  given: string | undefined,
  { team, confirm }: BroadcastOptions,
): Promise<void> {
  const message = await messageText(cli, given, "huddle broadcast");
  const client = await cli.client();
  const sent = await client.broadcast({ message, ...(team === undefined ? {} : { team }) });
  const { successful, failed } =
    confirm === true
      ? await confirmed(cli, client, sent)
      : { successful: sent.delivered_to, failed: sent.failed };
  cli.output.confirm({ message_id: sent.message_id, successful, failed }, () => {
    const count = successful.length;
    const who = count === 1 ? "1 agent has it" : `${count} agents have it`;
    const lines = [`${cli.output.colors.green("✓")} ${who}${confirm === true ? "" : " in the inbox"}`];
    if (failed.length > 0) lines.push(`Not taken by: ${failed.map(escapeLine).join(", ")}`);
    return lines.join("\n  ");
  });
}

async function confirmed(cli: CliContext, client: HubClient, sent: Sent) {
  const { successful, failed } = await awaitEachInjected(cli, client, sent.message_id);
  return { successful, failed: [...failed, ...sent.failed] };
}
