import { taskRoutes } from "../../../contract/http/tasks.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { findTask } from "../../../hub/rules/find-task.js";
import type { AgentId } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import { type TaskState, taskStates } from "../../../model/task.js";
import { type Caller, memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { awaitEndFor, endOfTask } from "../../shown/await-end.js";
import { viewTask } from "../../shown/task-view.js";
import { checkTerms, noteResultRead, toAssignment } from "../../tasks.js";
import type { BindRoute } from "../bind-route.js";

export function bindTaskRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views } = ports;
  const shown = (id: string, reader: AgentId) => viewTask(findTask(views, id, reader), reader, ports);

  bind(taskRoutes.assign, async ({ caller, body }) => {
    const by = memberId(caller);
    await checkTerms(body, by, ports);
    const { taskId, agent, agentName, state } = await execute("assignTask", {
      ...toAssignment(body, by, ports),
      id: body.id,
    });
    return { task_id: taskId, agent: addressNow(views, agent, agentName, by), status: state };
  });

  bind(taskRoutes.list, ({ caller, query }) => {
    const me = memberId(caller);
    const { limit } = query;
    const before = query.cursor === undefined ? undefined : views.tasks.byId(query.cursor)?.seq;
    if (query.cursor !== undefined && before === undefined) {
      throw new HubError("INVALID_INPUT", "cursor: not one that a page of tasks gave as `next`");
    }
    const found = views.tasks.list({
      states: statesOf(query.status),
      agent: query.agent === undefined ? undefined : findAgent(views, query.agent, me).id,
      of: seesAll(caller) ? undefined : me,
      before,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    return {
      tasks: page
        .map((task) => viewTask(task, me, ports))
        .filter(({ status }) => isAsked(query.status, status)),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  });

  bind(taskRoutes.show, async ({ caller, param, query, onHangUp }) => {
    const me = memberId(caller);
    const { id } = findTask(views, param("id"), me);
    await awaitEndFor(ports, { me, seconds: query.wait, onHangUp }, endOfTask(ports, id));
    const task = findTask(views, id, me);
    await noteResultRead(task, me, ports);
    return viewTask(task, me, ports);
  });

  bind(taskRoutes.cancel, async ({ caller, param }) => {
    const by = memberId(caller);
    await execute("cancelTask", { task: param("id"), by });
    return shown(param("id"), by);
  });
}

/** `waiting` is told by what is asked of the person, whatever the task is at. */
function statesOf(status: string | undefined): readonly TaskState[] | undefined {
  if (status === "waiting") return ["pending", "running", "checking"];
  return status === undefined ? undefined : taskStates.filter((state) => state === status);
}

function isAsked(asked: string | undefined, status: string): boolean {
  return asked === undefined || asked === status;
}

function seesAll(caller: Caller): boolean {
  return caller.kind === "operator" || (caller.kind === "agent" && caller.agent.role === "orchestrator");
}
