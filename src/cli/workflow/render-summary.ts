import type { Workflow } from "../../client/hub-client.js";
import { formatSpan } from "../amounts.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import type { Colors } from "../output.js";
import { shortId } from "../short-id.js";
import { byWhom, paintOf, type Step } from "./step-marks.js";

/** Of a longer output the beginning is shown, and how to see all of it. */
const LINES_SHOWN = 20;

/** How a workflow ended: what failed and why, and what the steps answered that no other step took up. */
export function renderSummary(workflow: Workflow, colors: Colors): string {
  const { steps, status, name, created, ended } = workflow;
  const paint = paintOf(status, colors);
  const mark = status === "done" ? "✓" : status === "failed" ? "✗" : "□";
  const span = ended === null ? "" : ` in ${formatSpan(Date.parse(ended) - Date.parse(created))}`;
  const done = steps.filter((step) => step.status === "done").length;
  const head = `${paint(mark)} ${colors.bold(escapeLine(name))} ${verbs[status]}${span}: ${done} of ${steps.length} steps done${usageOf(workflow)}`;
  const failed = steps
    .filter((step) => step.status === "failed")
    .map((step) => failure(step, workflow, colors));
  const taken = new Set(steps.flatMap((step) => (step.status === "done" ? step.depends_on : [])));
  const results = steps
    .filter((step) => step.status === "done" && !taken.has(step.name) && (step.output ?? "") !== "")
    .map((step) => result(step, workflow, colors));
  return [head, ...failed, ...results].join("\n\n");
}

const verbs: Readonly<Record<Workflow["status"], string>> = {
  running: "runs",
  waiting: "waits for you",
  done: "is done",
  failed: "failed",
  cancelled: "was cancelled",
};

function usageOf({ usage }: Workflow): string {
  const tokens = usage.input_tokens + usage.output_tokens;
  const parts = [
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString("en-US")} tokens`]),
    ...(usage.cost_usd === null ? [] : [`$${usage.cost_usd.toFixed(2)}`]),
  ];
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
}

function failure(step: Step, { workflow_id, steps }: Workflow, colors: Colors): string {
  const name = escapeLine(step.name);
  const behind = steps.filter((other) => other.status === "blocked").length;
  const lines = [
    `${colors.red("✗")} ${colors.bold(name)}${byWhom(step)}: ${indent(escapeBlock(step.error ?? "no reason was given"))}`,
    `  Run it again${behind > 0 ? " with what depends on it" : ""}: huddle workflow retry ${shortId(workflow_id)} ${name}`,
  ];
  return lines.join("\n");
}

function result(step: Step, { workflow_id }: Workflow, colors: Colors): string {
  const name = escapeLine(step.name);
  const lines = escapeBlock((step.output ?? "").trimEnd()).split("\n");
  const more = lines.length - LINES_SHOWN;
  return [
    `${colors.bold(name)}${byWhom(step)}:`,
    ...lines.slice(0, LINES_SHOWN).map((line) => `  ${line}`.trimEnd()),
    ...(more > 0
      ? [colors.dim(`  … ${more} more lines: huddle workflow show ${shortId(workflow_id)} --output ${name}`)]
      : []),
  ].join("\n");
}

function indent(text: string): string {
  return text.trimEnd().split("\n").join("\n  ");
}
