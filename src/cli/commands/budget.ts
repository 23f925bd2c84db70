import { HubError } from "../../model/errors.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { findWorkflow } from "../find-workflow.js";
import { usageError } from "../usage-error.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<decision>", "continue or stop")
    .argument("<name>", "the agent, or the workflow by the end of its id, whose budget is used up")
    .addHelpText(
      "after",
      "\nhuddle inbox lists what waits for you, and huddle usage what was used. Budgets are set in huddle.yaml (budgets.*) and in workflow files (budget:).\nAgents in tmux panes, and those that you start yourself, tell no usage: no budget holds them.",
    )
    .action((decision: string, name: string) => act((cli) => decide(cli, decision, name)));
};

async function decide(cli: CliContext, decision: string, given: string): Promise<void> {
  if (decision !== "continue" && decision !== "stop")
    throw usageError("Say whether it may go on", "huddle budget continue|stop AGENT|WORKFLOW");
  const client = await cli.client();
  const name = await findAgent(client, given);
  const decided = await client.decideBudget("agent", name, decision).catch(async (error: unknown) => {
    if (!(error instanceof HubError) || error.code !== "AGENT_NOT_FOUND") throw error;
    const workflow = await findWorkflow(client, given);
    if (!workflow.startsWith("wf-")) throw error;
    return client.decideBudget("workflow", workflow, decision);
  });
  cli.output.confirm(decided, () => {
    const what = decision === "continue" ? "goes on, with as much again" : "is ended";
    return `${cli.output.colors.green("✓")} ${escapeLine(name)} ${what}`;
  });
}
