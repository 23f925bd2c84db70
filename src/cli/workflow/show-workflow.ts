import type { Workflow, WorkflowList } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import { relativeTime } from "../amounts.js";
import type { CliContext } from "../context.js";
import { deskFooter, deskLines } from "../desk/desk-line.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import type { Colors, Output } from "../output.js";
import { shortId } from "../short-id.js";
import { renderTable, shorten } from "../table.js";
import { doerOf, elapsed, firstLine, markOf, needsOf, paintOf, type Step } from "./step-marks.js";

type Look = Pick<Output, "colors" | "width">;

const PAGE = 100;
const WHAT_WIDTH = 60;

export async function listWorkflows(cli: CliContext, status: Workflow["status"] | undefined): Promise<void> {
  const client = await cli.client();
  const page = await client.workflows({ limit: PAGE, ...(status === undefined ? {} : { status }) });
  const footer = page.workflows.length === 0 ? "" : await deskFooter(cli, "workflows");
  cli.output.result(page, () => renderList(page, cli.output, cli.io.now()) + footer);
  if (page.next !== null) cli.output.note(`These are the newest ${PAGE}.`);
}

export async function showWorkflow(cli: CliContext, id: string): Promise<number> {
  const client = await cli.client();
  const workflow = await client.workflow(id);
  const link = (await deskLines(cli))({ page: "workflows", id: workflow.workflow_id });
  cli.output.result(workflow, () => renderWorkflow(workflow, cli.output, cli.io.now()) + link);
  return 0;
}

/** For a pipe as it is; on a terminal what would drive it is shown instead. */
export async function showOutput(
  { client, io, output }: CliContext,
  id: string,
  name: string,
): Promise<number> {
  const { steps } = await (await client()).workflow(id);
  const step = steps.find((one) => one.name === name);
  if (step === undefined) {
    const available = steps.map((one) => one.name);
    const meant = nearest(name, available);
    const question = meant === undefined ? "" : `. Did you mean ${meant}?`;
    throw new HubError("STEP_NOT_FOUND", `The workflow has no step "${name}"${question}`, { available });
  }
  if (step.output === null) {
    const why =
      step.error === null
        ? `it is ${step.status}`
        : `it ${step.status === "failed" ? "failed" : `is ${step.status}`}: ${escapeBlock(step.error)}`;
    output.note(`${escapeLine(name)} has no output: ${why}`);
    return 1;
  }
  if (output.json) output.result({ step: name, output: step.output }, () => "");
  else if (io.stdout.isTTY === true) io.stdout.write(`${escapeBlock(step.output.trimEnd())}\n`);
  else io.stdout.write(step.output);
  return 0;
}

export function renderList({ workflows }: WorkflowList, { colors, width }: Look, now: number): string {
  if (workflows.length === 0) return "No workflows.\n  Run one: huddle workflow run FILE.yaml";
  return renderTable(
    ["WORKFLOW", "STATUS", "STEPS", "STARTED", "NAME"].map((text) => ({ text, paint: colors.dim })),
    workflows.map((workflow) => [
      { text: shortId(workflow.workflow_id), paint: colors.bold },
      { text: workflow.status, paint: paintOf(workflow.status, colors) },
      `${workflow.ended_steps}/${workflow.steps}`,
      relativeTime(Date.parse(workflow.created), now),
      shorten(escapeLine(workflow.name), WHAT_WIDTH),
    ]),
    width,
  );
}

export function renderWorkflow(workflow: Workflow, { colors, width }: Look, now: number): string {
  const { workflow_id, name, status, by, created, steps, usage } = workflow;
  const cost = usage.cost_usd === null ? "" : `, $${usage.cost_usd.toFixed(2)}`;
  const used = usage.input_tokens + usage.output_tokens;
  // Turns without a single token were not free: nobody told what they used.
  const isTold = used > 0 || cost !== "" || usage.turns === 0;
  const tokens = isTold ? `${used.toLocaleString("en-US")} tokens${cost}` : "usage not told";
  return [
    `${colors.bold(shortId(workflow_id))}  ${paintOf(status, colors)(status)}  ${escapeLine(name)}`,
    colors.dim(`for ${escapeLine(by)}, started ${relativeTime(Date.parse(created), now)}, ${tokens}`),
    "",
    renderTable(
      ["STEP", "STATUS", "AGENT", "TIME", "WHAT"].map((text) => ({ text, paint: colors.dim })),
      steps.map((step) => [
        { text: escapeLine(step.name), paint: colors.bold },
        { text: `${markOf(step)} ${step.status}`, paint: (text) => paintOf(step.status, colors)(text) },
        doerOf(step) || "–",
        elapsed(step, now) || "–",
        shorten(whatOf(step), WHAT_WIDTH),
      ]),
      width,
    ),
    ...longErrors(workflow, colors),
    ...needsOf(workflow).map((need) => colors.yellow(`→ ${need}`)),
  ].join("\n");
}

/** Reasons that the table has no room for. */
function longErrors({ steps }: Workflow, colors: Colors): string[] {
  return steps
    .filter(({ status, error }) => status === "failed" && error !== null)
    .filter((step) => step.error?.includes("\n") === true || whatOf(step).length > WHAT_WIDTH)
    .map((step) => `\n${colors.red("✗")} ${escapeLine(step.name)}: ${escapeBlock(step.error ?? "")}`);
}

/** Why it failed, what it waits for, or how its output begins. */
function whatOf(step: Step): string {
  const again = step.repeated === true ? "repeated" : step.attempt > 1 ? `try ${step.attempt}` : "";
  const text = firstLine(step.error ?? step.output ?? "");
  const after = step.depends_on.length === 0 ? "" : `after ${step.depends_on.map(escapeLine).join(", ")}`;
  const waits = step.waits_for === undefined ? "" : `waits for ${escapeLine(step.waits_for)}`;
  return [again, waits || text || after].filter((part) => part !== "").join("; ");
}
