import type { Workflow } from "../../client/hub-client.js";
import type { CliContext } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { shortId } from "../short-id.js";

export async function cancelWorkflow(cli: CliContext, id: string): Promise<void> {
  const client = await cli.client();
  const workflow = await client.cancelWorkflow(id);
  const link = (await deskLines(cli))({ page: "workflows", id: workflow.workflow_id });
  cli.output.confirm(workflow, () =>
    workflow.status === "cancelled"
      ? `${cli.output.colors.green("✓")} The workflow is cancelled${link}`
      : `The workflow had ended already: ${workflow.status}`,
  );
}

export async function retryStep(
  cli: CliContext,
  id: string,
  step: string,
  agent: string | undefined,
): Promise<number> {
  const client = await cli.client();
  const workflow = await client.retryStep(id, step, agent === undefined ? {} : { agent });
  // It may have failed at once: whoever is to do it has left, say.
  const now = workflow.steps.find(({ name }) => name === step);
  if (now?.status === "failed") {
    const { output } = cli;
    output.confirm(
      workflow,
      () =>
        `${output.colors.red("✗")} ${escapeLine(step)} failed again at once: ${escapeBlock(now.error ?? "no reason was given")}\n  With another agent: huddle workflow retry ${shortId(id)} ${escapeLine(step)} --agent NAME`,
    );
    return 1;
  }
  await confirm(cli, workflow, `${escapeLine(step)} is run again`, step);
  return 0;
}

type Decision = { id: string; step: string; message: string | undefined };

export async function decideStep(
  cli: CliContext,
  verdict: "approve" | "reject",
  { id, step, message }: Decision,
): Promise<void> {
  const client = await cli.client();
  const body = message === undefined ? {} : { comment: message };
  const workflow = await (verdict === "approve"
    ? client.approveStep(id, step, body)
    : client.rejectStep(id, step, body));
  await confirm(
    cli,
    workflow,
    `${escapeLine(step)} is ${verdict === "approve" ? "approved" : "rejected"}`,
    step,
  );
}

async function confirm(cli: CliContext, workflow: Workflow, what: string, step: string): Promise<void> {
  const { output } = cli;
  const link = (await deskLines(cli))({ page: "workflows", id: workflow.workflow_id, step });
  output.confirm(workflow, () => {
    const next =
      workflow.ended === null ? `\n  Watch it: huddle workflow watch ${shortId(workflow.workflow_id)}` : "";
    return `${output.colors.green("✓")} ${what}${next}${link}`;
  });
}
