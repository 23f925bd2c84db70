import type { Workflow } from "../../client/hub-client.js";

export type Step = Workflow["steps"][number];
type StepStatus = Step["status"];

/** As people see it: a step whose agent has not begun is `queued`. */
export type StepLook = StepStatus | "queued";

export type StepTone = "green" | "blue" | "red" | "plain" | "dim";

type Look = { word: string; tone: StepTone };

export const stepLooks: { readonly [L in StepLook]: Look } = {
  pending: { word: "pending", tone: "dim" },
  queued: { word: "queued", tone: "dim" },
  running: { word: "running", tone: "plain" },
  waiting: { word: "waits for you", tone: "blue" },
  done: { word: "done", tone: "green" },
  failed: { word: "failed", tone: "red" },
  blocked: { word: "blocked", tone: "dim" },
  skipped: { word: "skipped", tone: "dim" },
  cancelled: { word: "cancelled", tone: "dim" },
};

export function lookOf({ status, began }: Pick<Step, "status" | "began">): StepLook {
  return status === "running" && began === null ? "queued" : status;
}

/** Whether anything of it has happened yet. */
export function hasBegun({ status }: Pick<Step, "status">): boolean {
  return status === "running" || status === "waiting" || status === "done" || status === "failed";
}

/** Only what did not succeed is run again. */
export function canRetry({ status }: Pick<Step, "status">): boolean {
  return status === "failed" || status === "blocked" || status === "skipped" || status === "cancelled";
}

/** It waits for a yes of the person; one that has a task waits for something else, a permission or a check. */
export function asksApproval(step: Pick<Step, "approve" | "status" | "task_id">): boolean {
  return step.approve === true && step.status === "waiting" && step.task_id === null;
}

/** Who does it. Of an agent that is started for it, what it is started on is known first. */
export function doerOf({ agent, backend, approve }: Pick<Step, "agent" | "backend" | "approve">): string {
  if (agent !== "") return agent;
  return backend ?? (approve === true ? "you" : "");
}

export const workflowWords: { readonly [S in Workflow["status"]]: Look } = {
  running: { word: "running", tone: "plain" },
  waiting: { word: "waits for you", tone: "blue" },
  done: { word: "done", tone: "green" },
  failed: { word: "failed", tone: "red" },
  cancelled: { word: "cancelled", tone: "dim" },
};
