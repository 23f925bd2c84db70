import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { checkWhom } from "./pause.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("[agent]", "the agent's name")
    .option("--all", "all agents, also those that were paused alone")
    .action((agent: string | undefined, { all }: { all?: true }) => act((cli) => resume(cli, agent, all)));
};

async function resume(cli: CliContext, agent: string | undefined, all: true | undefined): Promise<void> {
  const client = await cli.client();
  const changed =
    checkWhom(agent, all, "resume") === "all" ? await client.resumeAll() : await client.resume(agent ?? "");
  cli.output.confirm(changed, () => {
    const who = agent === undefined ? "All agents go" : `${escapeLine(agent)} goes`;
    return `${cli.output.colors.green("✓")} ${who} on`;
  });
}
