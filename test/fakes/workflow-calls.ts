import { eventually } from "./hosting-hub.js";
import type { HubProcess } from "./hub-process.js";
import { PATIENCE_MS } from "./patience.js";

/* What tests of whole hubs ask about workflows, as the operator. */

export type StepView = {
  name: string;
  agent: string;
  status: string;
  attempt: number;
  repeated?: true;
  task_id: string | null;
  output: string | null;
  error: string | null;
};
export type WorkflowView = { workflow_id: string; status: string; steps: StepView[] };

export async function createWorkflow(
  hub: HubProcess,
  steps: Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Promise<string> {
  const body = { name: "a workflow", steps, ...more };
  const { status, json, text } = await hub.http.call("POST", "/api/workflows", { token: hub.operator, body });
  if (status !== 201) throw new Error(`not created: ${status} ${text}`);
  return String(json["workflow_id"]);
}

export async function showWorkflow(hub: HubProcess, id: string, query = ""): Promise<WorkflowView> {
  const { json } = await hub.http.call("GET", `/api/workflows/${id}${query}`, { token: hub.operator });
  return json as WorkflowView;
}

/** Once it has ended. */
export function endOf(hub: HubProcess, id: string): Promise<WorkflowView> {
  return eventually(
    async () => {
      const seen = await showWorkflow(hub, id, "?wait=10");
      return ["done", "failed", "cancelled"].includes(seen.status) ? seen : undefined;
    },
    `the workflow ${id} ends`,
    5 * PATIENCE_MS,
  );
}

export function stepIs(hub: HubProcess, id: string, name: string, status: string): Promise<StepView> {
  return eventually(
    async () =>
      (await showWorkflow(hub, id)).steps.find((step) => step.name === name && step.status === status),
    `the step ${name} is ${status}`,
  );
}

export function act(hub: HubProcess, path: string, body: Record<string, unknown> = {}) {
  return hub.http.call("POST", `/api/workflows/${path}`, { token: hub.operator, body });
}

export function outputs({ steps }: WorkflowView): Record<string, string | null> {
  return Object.fromEntries(steps.map(({ name, output }) => [name, output]));
}

export function statuses({ steps }: WorkflowView): string {
  return steps.map(({ name, status }) => `${name} ${status}`).join(", ");
}
