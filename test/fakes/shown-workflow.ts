import type { Workflow } from "../../src/client/hub-client.js";

type Step = Workflow["steps"][number];

/** When the workflows of these tests began. */
export const STARTED = Date.parse("2026-01-01T12:00:00.000Z");

export const second = (n: number) => new Date(STARTED + n * 1000).toISOString();

export function shownStep(name: string, status: Step["status"], more: Partial<Step> = {}): Step {
  return {
    name,
    agent: "codex",
    status,
    depends_on: [],
    on: "success",
    attempt: status === "pending" ? 0 : 1,
    task_id: status === "pending" ? null : `task-${name}`,
    output: null,
    error: null,
    started: status === "pending" ? null : second(0),
    asked: null,
    assigned: status === "pending" ? null : second(0),
    began: status === "pending" ? null : second(0),
    ended: null,
    ...more,
  };
}

/** A workflow as the hub shows it. */
export function shownWorkflow(
  status: Workflow["status"],
  steps: readonly Step[],
  more: Partial<Workflow> = {},
): Workflow {
  return {
    workflow_id: "wf-1",
    name: "Ship it",
    by: "user",
    status,
    steps: [...steps],
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: null, turns: 0 },
    created: second(0),
    ended: status === "running" || status === "waiting" ? null : second(72),
    ...more,
  };
}
