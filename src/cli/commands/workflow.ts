import { Option } from "commander";
import type { Workflow } from "../../client/hub-client.js";
import { workflowStatuses } from "../../model/workflow.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { findWorkflow } from "../find-workflow.js";
import type { Progress } from "../workflow/watch-workflow.js";

type RunOptions = { watch?: boolean; detach?: boolean };
type Comment = { message?: string };

export const define: DefineCommand = (command, act) => {
  command
    .command("run")
    .description("run the workflow of a definition file")
    .argument("<file>", "a workflow in YAML or JSON")
    .option("-w, --watch", "show its progress; on a terminal this is the default")
    .addOption(new Option("-d, --detach", "start it and print its id").conflicts("watch"))
    .addHelpText(
      "after",
      `\nThe file is checked before anything starts. ${exitCodes}\n\nExamples:\n  huddle workflow run review.yaml\n  huddle workflow run review.yaml --json > result.json\n  id=$(huddle workflow run review.yaml --detach)`,
    )
    .action((file: string, options: RunOptions) => act((cli) => run(cli, file, options)));
  command
    .command("watch")
    .description("show a workflow's progress until it ends")
    .argument("<id>", "the workflow, by the end of its id")
    .addHelpText("after", `\n${exitCodes}`)
    .action((id: string) => act(async (cli) => watch(cli, await meant(cli, id), progressFor(cli, true))));
  command
    .command("list", { isDefault: true })
    .description("list the newest workflows")
    .addOption(new Option("--status <status>", "only those").choices([...workflowStatuses]))
    .action((options: { status?: Workflow["status"] }) =>
      act(async (cli) => (await import("../workflow/show-workflow.js")).listWorkflows(cli, options.status)),
    );
  command
    .command("show")
    .description("show a workflow and its steps, or one of them")
    .argument("<id>", "the workflow, by the end of its id")
    .argument("[step]", "only this step: its prompt, what flows into it, its tries and its output")
    .option("-o, --output <step>", "print the whole output of this step, as it is")
    .action((id: string, step: string | undefined, { output }: { output?: string }) =>
      act(async (cli) => {
        const whole = await meant(cli, id);
        if (step !== undefined) return (await import("../workflow/show-step.js")).showStep(cli, whole, step);
        const { showOutput, showWorkflow } = await import("../workflow/show-workflow.js");
        return output === undefined ? showWorkflow(cli, whole) : showOutput(cli, whole, output);
      }),
    );
  command
    .command("cancel")
    .description("end a workflow: what runs is cancelled, the rest does not begin")
    .argument("<id>", "the workflow, by the end of its id")
    .action((id: string) =>
      act(async (cli) =>
        (await import("../workflow/change-workflow.js")).cancelWorkflow(cli, await meant(cli, id)),
      ),
    );
  command
    .command("retry")
    .description("run a step that failed again, and what waited for it")
    .argument("<id>", "the workflow, by the end of its id")
    .argument("<step>", "the step")
    .option("--agent <agent>", "give it to this agent, or start one on this backend")
    .action((id: string, step: string, { agent }: { agent?: string }) =>
      act(async (cli) => {
        const { retryStep } = await import("../workflow/change-workflow.js");
        return retryStep(cli, await meant(cli, id), step, agent);
      }),
    );
  command
    .command("approve")
    .description("let a step go on that waits for you")
    .argument("<id>", "the workflow, by the end of its id")
    .argument("<step>", "the step")
    .option("-m, --message <comment>", "a comment for whoever carries on")
    .action((id: string, step: string, { message }: Comment) =>
      act(async (cli) => {
        const { decideStep } = await import("../workflow/change-workflow.js");
        return decideStep(cli, "approve", { id: await meant(cli, id), step, message });
      }),
    );
  command
    .command("reject")
    .description("refuse a step that waits for you: it has failed")
    .argument("<id>", "the workflow, by the end of its id")
    .argument("<step>", "the step")
    .option("-m, --message <why>", "why")
    .action((id: string, step: string, { message }: Comment) =>
      act(async (cli) => {
        const { decideStep } = await import("../workflow/change-workflow.js");
        return decideStep(cli, "reject", { id: await meant(cli, id), step, message });
      }),
    );
};

async function meant(cli: CliContext, given: string): Promise<string> {
  return findWorkflow(await cli.client(), given);
}

const exitCodes =
  "Exit codes: 0 done, 1 failed, 8 cancelled; when you leave\nit with Ctrl-C: 9 if it waits for you, else 130.";

async function run(cli: CliContext, file: string, options: RunOptions): Promise<number> {
  const { readDefinition } = await import("../workflow/read-definition.js");
  const read = readDefinition(file);
  const client = await cli.client();
  const created = await client.createWorkflow(read.definition).catch(async (error: unknown) => {
    throw (await import("../../client/definition/place-refusal.js")).placeRefusal(error, file, read);
  });
  if (options.detach === true) {
    const link = (await deskLines(cli))({ page: "workflows", id: created.workflow_id });
    cli.output.result(created, () => created.workflow_id + link);
    return 0;
  }
  return watch(cli, created.workflow_id, progressFor(cli, options.watch === true));
}

/** Without a terminal somebody has to ask for it: a script wants the result. */
function progressFor({ io, globals }: CliContext, asked: boolean): Progress {
  if (globals.json || globals.quiet) return "nothing";
  if (io.stdout.isTTY === true && io.env["TERM"] !== "dumb") return "screen";
  return asked ? "lines" : "nothing";
}

async function watch(cli: CliContext, id: string, progress: Progress): Promise<number> {
  const { watchWorkflow } = await import("../workflow/watch-workflow.js");
  return watchWorkflow(cli, id, progress);
}
