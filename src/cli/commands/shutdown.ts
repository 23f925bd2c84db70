import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<agent>", "the agent's name")
    .option("--reason <text>", "why, for the agent to read")
    .action((agent: string, options: { reason?: string }) => act((cli) => shutdown(cli, agent, options)));
};

/** Longer than the hub gives an attached agent to read it. */
const TIMEOUT_MS = 40_000;

async function shutdown(cli: CliContext, agent: string, options: { reason?: string }): Promise<void> {
  const client = await cli.client();
  const answer = await client.shutdown(agent, options, { timeoutMs: cli.timeoutMs(TIMEOUT_MS) });
  cli.output.confirm(answer, () =>
    answer.acknowledged
      ? `${cli.output.colors.green("✓")} ${escapeLine(agent)} ends once its turn is over`
      : `${escapeLine(agent)} has not read it yet; it waits in its inbox`,
  );
}
