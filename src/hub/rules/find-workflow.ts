import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { TightViews } from "../../views/tight.js";
import type { WorkflowRow } from "../../views/workflows.js";

/** A workflow, for whoever may know of it: its creator, orchestrators and the person. */
export function findWorkflow(views: TightViews, id: string, reader: AgentId): WorkflowRow {
  const found = views.workflows.byId(id);
  if (found !== undefined && (found.creator === reader || seesAllWorkflows(views, reader))) return found;
  throw new HubError(
    "WORKFLOW_NOT_FOUND",
    `No workflow has the id "${id.slice(0, 100)}"; \`huddle workflow list\` and the tool list_workflows show the ids`,
    { workflow_id: id },
  );
}

export function seesAllWorkflows(views: TightViews, reader: AgentId): boolean {
  return reader === HUMAN_ID || views.roster.byId(reader)?.role === "orchestrator";
}
