import { HubError } from "../../model/errors.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<agent>", "the agent's name")
    .option("--reason <text>", "why, for the agent to read")
    .action((agent: string, options: { reason?: string }) => act((cli) => shutdown(cli, agent, options)));
};

/** Longer than the hub gives an attached agent to read it. */
const TIMEOUT_MS = 40_000;

async function shutdown(cli: CliContext, given: string, options: { reason?: string }): Promise<void> {
  const client = await cli.client();
  const agent = await findAgent(client, given);
  const { state, lastActive, runtime } = await client.showAgent(agent);
  if (state === "dead") throw nothingToEnd(agent, relativeTime(Date.parse(lastActive), cli.io.now()));
  if (runtime === null && !cli.output.json)
    cli.output.note(`You started ${escapeLine(agent)} yourself: waiting up to 30 s until it has read it …`);
  const answer = await client.shutdown(agent, options, { timeoutMs: cli.timeoutMs(TIMEOUT_MS) });
  cli.output.confirm(answer, () =>
    answer.acknowledged
      ? `${cli.output.colors.green("✓")} ${escapeLine(agent)} ends once its turn is over`
      : `${escapeLine(agent)} has not read it yet; it waits in its inbox`,
  );
}

function nothingToEnd(agent: string, seen: string): HubError {
  return new HubError(
    "TARGET_INVALID",
    `${agent} is dead (last seen ${seen}): there is nothing to shut down`,
    {
      hint: `huddle remove ${agent} takes it off the list`,
    },
  );
}
