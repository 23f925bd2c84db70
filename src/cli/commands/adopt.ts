import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";

type AdoptOptions = { name?: string; socket?: string; team?: string; backend?: string };

export const define: DefineCommand = (command, act) => {
  command
    .argument("<target>", "the pane, as tmux names it: %3, work:1.2, a session's name")
    .option("--name <name>", "the agent's name")
    .option("--socket <socket>", "the tmux server: a name as for tmux -L, or a path as for -S")
    .option("--team <team>", "its team")
    .option("--backend <backend>", "what runs in the pane, where that cannot be told")
    .action((target: string, options: AdoptOptions) => act((cli) => adopt(cli, target, options)));
};

async function adopt(cli: CliContext, target: string, options: AdoptOptions): Promise<void> {
  const client = await cli.client();
  const adopted = await client.adopt({ target, ...options }, { timeoutMs: cli.timeoutMs(20_000) });
  cli.output.confirm(
    adopted,
    () =>
      `${cli.output.colors.green("✓")} ${escapeLine(adopted.name)} is ${escapeLine(adopted.backend)} in pane ${escapeLine(adopted.pane)}; its mail is typed there`,
  );
}
