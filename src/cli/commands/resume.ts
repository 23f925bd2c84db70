import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { checkWhom } from "./pause.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("[agent]", "the agent's name")
    .option("--all", "all agents, also those that were paused alone")
    .action((agent: string | undefined, { all }: { all?: true }) => act((cli) => resume(cli, agent, all)));
};

async function resume(cli: CliContext, given: string | undefined, all: true | undefined): Promise<void> {
  const client = await cli.client();
  const agent = given === undefined ? undefined : await findAgent(client, given);
  const changed =
    checkWhom(agent, all, "resume") === "all" ? await client.resumeAll() : await client.resume(agent ?? "");
  cli.output.confirm(changed, () => {
    const who = agent === undefined ? "All agents go" : `${escapeLine(agent)} goes`;
    return `${cli.output.colors.green("✓")} ${who} on`;
  });
}
