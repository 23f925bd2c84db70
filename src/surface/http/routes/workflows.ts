import { workflowRoutes } from "../../../contract/http/workflows.js";
import { findWorkflow, seesAllWorkflows } from "../../../hub/rules/find-workflow.js";
import type { AgentId } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { awaitEndFor, endOfWorkflow } from "../../shown/await-end.js";
import { viewStepDetails } from "../../shown/step-details.js";
import { listWorkflow, viewWorkflow } from "../../shown/workflow-view.js";
import { checkSchemas, noteWorkflowRead, toAssignee, toWorkflow } from "../../workflows.js";
import type { BindRoute } from "../bind-route.js";

export function bindWorkflowRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views } = ports;
  const shown = (id: string, reader: AgentId) =>
    viewWorkflow(findWorkflow(views, id, reader), { reader }, ports);

  bind(workflowRoutes.create, async ({ caller, body }) => {
    const by = memberId(caller);
    const wanted = toWorkflow(body, by, ports);
    await checkSchemas(body.steps, by, ports);
    const { workflowId, steps } = await execute("createWorkflow", { ...wanted, id: body.id });
    return { workflow_id: workflowId, steps };
  });

  bind(workflowRoutes.list, ({ caller, query }) => {
    const me = memberId(caller);
    const { limit, status } = query;
    const before = query.cursor === undefined ? undefined : views.workflows.byId(query.cursor)?.seq;
    if (query.cursor !== undefined && before === undefined) {
      throw new HubError("INVALID_INPUT", "cursor: not one that a page of workflows gave as `next`");
    }
    const found = views.workflows.list({
      // `waiting` is told by what its steps are at.
      states: status === undefined ? undefined : [status === "waiting" ? "running" : status],
      creator: seesAllWorkflows(views, me) ? undefined : me,
      before,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    return {
      workflows: page
        .map((row) => listWorkflow(row, me, ports))
        .filter((row) => status === undefined || row.status === status),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  });

  bind(workflowRoutes.show, async ({ caller, param, query, onHangUp }) => {
    const me = memberId(caller);
    const { id } = findWorkflow(views, param("id"), me);
    await awaitEndFor(ports, { me, seconds: query.wait, onHangUp }, endOfWorkflow(ports, id));
    const row = findWorkflow(views, id, me);
    await noteWorkflowRead(row, me, ports);
    return viewWorkflow(row, { reader: me, outputs: query.outputs ?? true }, ports);
  });

  bind(workflowRoutes.step, ({ caller, param }) => {
    const me = memberId(caller);
    return viewStepDetails(findWorkflow(views, param("id"), me), param("step"), me, ports);
  });

  bind(workflowRoutes.cancel, async ({ caller, param }) => {
    const by = memberId(caller);
    await execute("cancelWorkflow", { workflow: param("id"), by });
    return shown(param("id"), by);
  });

  bind(workflowRoutes.retry, async ({ caller, param, body }) => {
    const by = memberId(caller);
    const { id } = findWorkflow(views, param("id"), by);
    const step = param("step");
    await execute("retryStep", { workflow: id, step, by, assignee: chosen(id, step, body.agent, by) });
    return shown(id, by);
  });

  function chosen(id: string, step: string, agent: string | undefined, by: AgentId) {
    const defined = views.workflows.definition(id)?.named.get(step);
    return agent === undefined || defined === undefined ? undefined : toAssignee(agent, defined, by, ports);
  }

  const decide = async (id: string, step: string, by: AgentId, approved: boolean, comment?: string) => {
    await execute("decideStep", { workflow: id, step, by, approved, comment });
    return shown(id, by);
  };
  bind(workflowRoutes.approve, ({ caller, param, body }) =>
    decide(param("id"), param("step"), memberId(caller), true, body.comment),
  );
  bind(workflowRoutes.reject, ({ caller, param, body }) =>
    decide(param("id"), param("step"), memberId(caller), false, body.comment),
  );
}
