import type { StepDetails } from "../../client/hub-client.js";
import { formatSpan } from "../amounts.js";
import type { CliContext } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import type { Colors } from "../output.js";
import { byWhom, firstLine, markOf, paintOf } from "./step-marks.js";

type Try = StepDetails["tries"][number];

/** One step: what it was told, what flowed into it, how it went, and what came of it. */
export async function showStep(cli: CliContext, id: string, name: string): Promise<number> {
  const client = await cli.client();
  const step = await client.workflowStep(id, name);
  const link = (await deskLines(cli))({ page: "workflows", id, step: name });
  cli.output.result(step, () => renderStep(step, cli.output.colors) + link);
  return 0;
}

export function renderStep(step: StepDetails, colors: Colors): string {
  const paint = paintOf(step.status, colors);
  const part = (title: string, text: string) => `\n${colors.dim(title)}\n${indent(text)}`;
  return [
    `${paint(markOf(step))} ${colors.bold(escapeLine(step.name))}${byWhom(step)}  ${paint(step.status)}`,
    ...(step.waits_for === undefined ? [] : [`  waits for ${escapeLine(step.waits_for)}`]),
    ...(step.prompt === null ? [] : [part("PROMPT", step.prompt)]),
    ...(step.inputs.length === 0 ? [] : [part("FROM EARLIER STEPS", step.inputs.map(inputLine).join("\n"))]),
    ...(step.comment === null ? [] : [part("YOU SAID", step.comment)]),
    ...(step.tries.length === 0 ? [] : [`\n${colors.dim("TRIES")}`]),
    ...step.tries.map((one, at) => tryLines(one, at + 1)),
    ...(step.error === null ? [] : [part("WHY IT DID NOT SUCCEED", step.error)]),
    ...(step.output === null ? [] : [part("OUTPUT", step.output)]),
  ].join("\n");
}

function inputLine({ step, status, output, error }: StepDetails["inputs"][number]): string {
  return `${markOf({ status })} ${escapeLine(step)}: ${firstLine(output ?? error ?? "") || status}`;
}

function tryLines({ agent, status, started, ended, error, checks }: Try, nth: number): string {
  const span =
    started === null || ended === null ? "" : `, ${formatSpan(Date.parse(ended) - Date.parse(started))}`;
  const why = error === null ? "" : `: ${firstLine(error)}`;
  return [
    `  ${nth}. ${escapeLine(agent)}, ${status}${span}${why}`,
    ...checks.map(
      ({ name, passed, exit, ms }) =>
        `     ${passed ? "✓" : "✗"} ${escapeLine(name)}, ${exit === null ? "did not run to its end" : `exit ${exit}`}, ${formatSpan(ms)}`,
    ),
  ].join("\n");
}

function indent(text: string): string {
  return `  ${escapeBlock(text.trimEnd()).split("\n").join("\n  ")}`;
}
