import { HubError } from "../../model/errors.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";

export const define: DefineCommand = (command, act) => {
  command.argument("<agent>", "the agent's name").action((agent: string) => act((cli) => kill(cli, agent)));
};

async function kill(cli: CliContext, given: string): Promise<void> {
  const client = await cli.client();
  const agent = await findAgent(client, given);
  const { killed, let_go } = await client
    .kill(agent, { timeoutMs: cli.timeoutMs(20_000) })
    .catch((error: unknown) => {
      throw notRunHere(error, agent);
    });
  if (!killed) throw new HubError("TIMED_OUT", `"${agent}" is still being ended`);
  const became = let_go === true ? "is let go, and reads its mail by its own bridge again" : "is gone";
  cli.output.confirm(
    { killed, ...(let_go === undefined ? {} : { let_go }) },
    () => `${cli.output.colors.green("✓")} ${escapeLine(agent)} ${became}`,
  );
}

/** The person started it: the hub has no process to end. */
function notRunHere(error: unknown, agent: string): unknown {
  if (!(error instanceof HubError) || error.code !== "NOT_HOSTED") return error;
  return new HubError("NOT_HOSTED", `${agent} is not run by this hub`, {
    ...error.details,
    hint: `Take it off the list: huddle remove ${agent}`,
  });
}
