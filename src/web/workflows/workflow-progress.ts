import type { Workflow } from "../../client/hub-client.js";
import type { BarTone } from "../parts/segment-bar.js";
import type { Run } from "./use-workflows.js";

export type Segments = readonly { tone: BarTone; part: number }[];

/** How many of its steps are at what. */
function countSteps({ steps }: Pick<Workflow, "steps">) {
  const count = (...statuses: readonly string[]) =>
    steps.filter(({ status }) => statuses.includes(status)).length;
  return {
    steps: steps.length,
    done: count("done"),
    running: count("running", "waiting"),
    waiting: count("waiting"),
    failed: count("failed"),
  };
}

export function progressOf(workflow: Pick<Workflow, "steps">): Segments {
  const { steps, done, running, waiting, failed } = countSteps(workflow);
  const part = (number: number) => (steps === 0 ? 0 : number / steps);
  return [
    { tone: "green", part: part(done) },
    { tone: "grey", part: part(running - waiting) },
    { tone: "blue", part: part(waiting) },
    { tone: "red", part: part(failed) },
  ];
}

/** `3/8 done · 1 running · 1 failed` */
export function sayProgress(workflow: Pick<Workflow, "steps">): string {
  const { steps, done, running, failed } = countSteps(workflow);
  return [
    `${done}/${steps} done`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(" · ");
}

/** A run in the list: `3/8, waits for you`, `4/7, failed at build`, `7/7 done`. */
export function sayRun({ status, steps, done_steps, failed_at }: Run): string {
  const far = `${done_steps}/${steps}`;
  switch (status) {
    case "done":
      return done_steps === steps ? `${far} done` : `${far}, done`;
    case "failed":
      return failed_at === undefined ? `${far}, failed` : `${far}, failed at ${failed_at}`;
    case "waiting":
      return `${far}, waits for you`;
    case "running":
      return failed_at === undefined ? `${far}, running` : `${far}, running, failed at ${failed_at}`;
    case "cancelled":
      return `${far}, cancelled`;
  }
}

export function runProgress({ status, steps, done_steps }: Run): Segments {
  const part = steps === 0 ? 0 : done_steps / steps;
  return [{ tone: status === "failed" ? "red" : status === "cancelled" ? "grey" : "green", part }];
}
