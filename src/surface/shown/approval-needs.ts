import type { z } from "zod";
import type { needsYouRoutes } from "../../contract/http/needs-you.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { HUMAN_ID } from "../../model/agent.js";
import type { WorkflowId } from "../../model/task.js";
import type { StepAssignee, WorkflowStep } from "../../model/workflow.js";
import type { HubPorts } from "../ports.js";

type Need = z.input<typeof needsYouRoutes.list.response>["items"][number];
type Ports = Pick<HubPorts, "views">;

const MOST = 200;

/** Steps that wait until the person approves or rejects them. */
export function approvalNeeds({ views }: Ports): Need[] {
  return views.workflows.waiting(MOST).flatMap(({ workflow, step }) => {
    const definition = views.workflows.definition(workflow);
    const defined = definition?.named.get(step.name);
    if (definition === undefined || defined === undefined) return [];
    const by = addressNow(views, definition.by, definition.byName, HUMAN_ID);
    const assignee = step.assignee ?? defined;
    const whose = definition.by === HUMAN_ID ? "" : ` of ${by}`;
    return [
      {
        id: `${workflow}/${step.name}`,
        kind: "approval" as const,
        agent: agentOf(assignee, { views }),
        text: `The workflow "${definition.name}"${whose} asks before its step ${step.name}${promptOf(defined)}`,
        at: new Date(step.asked ?? 0).toISOString(),
        expires: null,
        actions: (["approve", "reject"] as const).map((action) => ({
          action,
          label: action === "approve" ? "Let it go on" : "Refuse it: the step fails",
          command: `huddle workflow ${action} ${workflow} ${step.name}`,
          method: "POST" as const,
          path: `/api/workflows/${workflow}/steps/${step.name}/${action}`,
          body: {},
        })),
        facts: {
          about: "step" as const,
          workflow,
          name: definition.name,
          by,
          step: step.name,
          prompt: defined.prompt ?? null,
          agent: assignee.agent === undefined ? null : agentOf(assignee, { views }),
          backend: assignee.spawn?.backend ?? null,
          inputs: defined.dependsOn.map((name) => inputOf(workflow, name, { views })),
        },
      },
    ];
  });
}

function agentOf({ agent, agentName = "", spawn }: StepAssignee, { views }: Ports): string | null {
  if (agent !== undefined) return addressNow(views, agent, agentName, HUMAN_ID);
  return spawn?.backend ?? null;
}

/** What is approved is shown whole. */
function promptOf({ prompt }: WorkflowStep): string {
  return prompt === undefined ? "." : `: ${prompt}`;
}

function inputOf(workflow: WorkflowId, name: string, { views }: Ports) {
  const step = views.workflows.step(workflow, name);
  const task = step?.task ?? null;
  return {
    step: name,
    status: step?.state ?? "unknown",
    output: task === null ? null : (views.tasks.outputOf(task)?.text ?? null),
    error: step?.error ?? null,
  };
}
