import type { Workflow } from "../../client/hub-client.js";
import { isStepEnded } from "../../model/workflow.js";
import { formatSpan } from "../amounts.js";
import { escapeLine } from "../escape-text.js";
import type { Colors } from "../output.js";
import { shortId } from "../short-id.js";

export type Step = Workflow["steps"][number];
type Paint = (text: string) => string;

const marks: Readonly<Record<Step["status"], string>> = {
  pending: "○",
  running: "●",
  waiting: "?",
  done: "✓",
  failed: "✗",
  blocked: "⊘",
  skipped: "–",
  cancelled: "□",
};

export function markOf({ status }: Pick<Step, "status">): string {
  return marks[status];
}

export function paintOf(status: Step["status"] | Workflow["status"], colors: Colors): Paint {
  switch (status) {
    case "done":
      return colors.green;
    case "failed":
    case "blocked":
      return colors.red;
    case "running":
      return colors.cyan;
    case "waiting":
      return colors.yellow;
    default:
      return colors.dim;
  }
}

/** Of a step that has begun: how long it took, or takes so far. */
export function elapsed({ started, ended }: Pick<Step, "started" | "ended">, now: number): string {
  if (started === null) return "";
  return formatSpan((ended === null ? now : Date.parse(ended)) - Date.parse(started));
}

export function hasEnded({ status }: Pick<Step, "status">): boolean {
  return isStepEnded(status);
}

/** Text of a step on one line: the first that says something. */
export function firstLine(text: string): string {
  return escapeLine(
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "",
  );
}

/** What the person can do for what waits for them, a line for each. */
export function needsOf({ workflow_id, status, steps }: Workflow): string[] {
  const id = shortId(workflow_id);
  const waiting = steps.filter((step) => step.status === "waiting");
  const needs = waiting.map((step) => {
    const name = escapeLine(step.name);
    return asksApproval(step)
      ? `${name} waits for you: huddle workflow approve ${id} ${name}`
      : `${name} waits for you: huddle inbox`;
  });
  return needs.length === 0 && status === "waiting" ? ["It waits for you: huddle inbox"] : needs;
}

/** One that has a task may wait for something else, a permission or a check: the inbox has both. */
export function asksApproval(step: Step): boolean {
  return step.approve === true && step.task_id === null;
}

/** Who does it. One that was started for the step is called as the step is: then what it was started on says more. */
export function doerOf({ agent, name, backend }: Pick<Step, "agent" | "name" | "backend">): string {
  return escapeLine(agent === name ? (backend ?? agent) : agent);
}

export function byWhom(step: Pick<Step, "agent" | "name" | "backend">): string {
  const doer = doerOf(step);
  return doer === "" || doer === step.name ? "" : ` (${doer})`;
}
