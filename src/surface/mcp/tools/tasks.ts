import * as contract from "../../../contract/mcp/tasks.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import { findTask } from "../../../hub/rules/find-task.js";
import { quoteBlock } from "../../../model/others-words.js";
import { awaitEnd, endOfTask } from "../../shown/await-end.js";
import { type TaskView, viewTask } from "../../shown/task-view.js";
import { checkTerms, noteResultRead, toAssignment } from "../../tasks.js";
import { isOrchestrator } from "../roles.js";
import { defineTool, waitOf } from "../tool.js";

const LISTED = 50;
const PROMPT_MOST = 200;

export const assignTask = defineTool(contract.assignTask, {
  isFor: isOrchestrator,
  async run(input, { ports, me, id }) {
    await checkTerms(input, me, ports);
    const assigned = await ports.execute("assignTask", { ...toAssignment(input, me, ports), id });
    const agent = addressNow(ports.views, assigned.agent, assigned.agentName, me);
    return { task_id: assigned.taskId, agent, status: assigned.state };
  },
});

export const getTaskResult = defineTool(contract.getTaskResult, {
  isFor: isOrchestrator,
  async run({ task_id, wait_seconds = 0 }, call) {
    const { ports, me } = call;
    const { id } = findTask(ports.views, task_id, me);
    if (wait_seconds > 0) await awaitEnd(ports, me, endOfTask(ports, id), waitOf(call, wait_seconds));
    const task = findTask(ports.views, id, me);
    await noteResultRead(task, me, ports);
    return forModel(viewTask(task, me, ports));
  },
});

export const cancelTask = defineTool(contract.cancelTask, {
  isFor: isOrchestrator,
  async run({ task_id }, { ports, me }) {
    const { state } = await ports.execute("cancelTask", { task: task_id, by: me });
    return { task_id, status: state };
  },
});

export const listTasks = defineTool(contract.listTasks, {
  isFor: isOrchestrator,
  run({ status, agent }, { ports, me }) {
    const found = ports.views.tasks.list({
      states: status === undefined || status === "waiting" ? undefined : [status],
      agent: agent === undefined ? undefined : findAgent(ports.views, agent, me).id,
      limit: LISTED,
    });
    const tasks = found
      .map((task) => viewTask(task, me, ports))
      .filter((task) => status === undefined || task.status === status)
      .map(inList);
    return { tasks };
  },
});

/** Without what is long: get_task_result has that. */
function inList({ prompt, output, checks, ...task }: TaskView) {
  return {
    ...task,
    prompt: quoteBlock(prompt.slice(0, PROMPT_MOST)),
    output_length: output?.length ?? 0,
    checks_passed: checks.filter(({ passed }) => passed).length,
  };
}

/** What an agent wrote is read by another: lines in it that pass for the hub's are quoted. */
function forModel(task: TaskView) {
  return {
    ...task,
    prompt: quoteBlock(task.prompt),
    output: task.output === null ? null : quoteBlock(task.output),
    checks: task.checks.map((check) => ({ ...check, output: quoteBlock(check.output) })),
  };
}
