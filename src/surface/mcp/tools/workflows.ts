import * as contract from "../../../contract/mcp/workflows.js";
import { findWorkflow } from "../../../hub/rules/find-workflow.js";
import { quoteBlock } from "../../../model/others-words.js";
import { keepEnd } from "../../../model/turn.js";
import { awaitEnd, endOfWorkflow } from "../../shown/await-end.js";
import { listWorkflow, viewWorkflow, type WorkflowView } from "../../shown/workflow-view.js";
import { checkSchemas, noteWorkflowRead, toAssignee, toWorkflow } from "../../workflows.js";
import { isOrchestrator } from "../roles.js";
import { defineTool, waitOf } from "../tool.js";

const LISTED = 50;
/** Of all outputs together so much is shown at once; get_task_result has each in full. */
const OUTPUTS_MOST = 100_000;

export const createWorkflow = defineTool(contract.createWorkflow, {
  isFor: isOrchestrator,
  async run(input, { ports, me, id }) {
    const wanted = toWorkflow(input, me, ports);
    await checkSchemas(input.steps, me, ports);
    const created = await ports.execute("createWorkflow", { ...wanted, id });
    return { workflow_id: created.workflowId, steps: created.steps };
  },
});

export const getWorkflow = defineTool(contract.getWorkflow, {
  isFor: isOrchestrator,
  async run({ workflow_id, wait_seconds = 0 }, call) {
    const { ports, me } = call;
    const { id } = findWorkflow(ports.views, workflow_id, me);
    if (wait_seconds > 0) await awaitEnd(ports, me, endOfWorkflow(ports, id), waitOf(call, wait_seconds));
    const row = findWorkflow(ports.views, id, me);
    await noteWorkflowRead(row, me, ports);
    return forModel(viewWorkflow(row, { reader: me }, ports));
  },
});

export const listWorkflows = defineTool(contract.listWorkflows, {
  isFor: isOrchestrator,
  run({ status }, { ports, me }) {
    const found = ports.views.workflows.list({
      states: status === undefined ? undefined : [status === "waiting" ? "running" : status],
      limit: LISTED,
    });
    const workflows = found
      .map((row) => listWorkflow(row, me, ports))
      .filter((row) => status === undefined || row.status === status);
    return { workflows };
  },
});

export const cancelWorkflow = defineTool(contract.cancelWorkflow, {
  isFor: isOrchestrator,
  async run({ workflow_id }, { ports, me }) {
    await ports.execute("cancelWorkflow", { workflow: workflow_id, by: me });
    return { workflow_id, status: findWorkflow(ports.views, workflow_id, me).state };
  },
});

export const retryStep = defineTool(contract.retryStep, {
  isFor: isOrchestrator,
  async run({ workflow_id, step, agent }, { ports, me }) {
    const { id } = findWorkflow(ports.views, workflow_id, me);
    const defined = ports.views.workflows.definition(id)?.named.get(step);
    const assignee =
      agent === undefined || defined === undefined ? undefined : toAssignee(agent, defined, me, ports);
    await ports.execute("retryStep", { workflow: id, step, by: me, assignee });
    return { workflow_id: id, step, status: ports.views.workflows.step(id, step)?.state };
  },
});

/** What agents wrote is read by another: lines in it that pass for the hub's are quoted, and long outputs are cut. */
function forModel({ steps, ...workflow }: WorkflowView) {
  const most = Math.floor(OUTPUTS_MOST / Math.max(1, steps.length));
  return {
    ...workflow,
    // When it was asked, assigned and begun is for people who look at a timeline.
    steps: steps.map(({ output, asked: _a, assigned: _b, began: _c, waiting_since: _d, ...step }) => ({
      ...step,
      output: output === null ? null : quoteBlock(keepEnd(output, most)),
      ...(output !== null && output.length > most ? { output_length: output.length } : {}),
    })),
  };
}
