import type { AgentId } from "../../model/agent.js";
import type { Decision } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import {
  type AssignedTask,
  type TaskId,
  type TaskSpawn,
  type TaskState,
  taskIdFrom,
} from "../../model/task.js";
import type { Task } from "../../views/tasks.js";
import type { HubContext, HubDecider } from "../context.js";
import { checkOpenWork } from "../rules/check-open-work.js";
import { checkStays, findAgent } from "../rules/find-agent.js";
import { checkMayAssign } from "../rules/find-task.js";
import { checkRoom } from "../rules/inbox-room.js";
import { checkKnown } from "../rules/known-checks.js";
import { ownWords } from "../rules/own-words.js";
import { presentSender } from "../rules/present-agent.js";
import { taskMail } from "../rules/task-mail.js";

export type AssignTask = Pick<AssignedTask, "prompt"> &
  Partial<Pick<AssignedTask, "outputSchema" | "checks" | "timeoutMs" | "worktree" | "keep" | "attempts">> & {
    by: AgentId;
    /** An address; or else `spawn` says what is started for it. */
    agent?: string | undefined;
    spawn?: TaskSpawn | undefined;
    /** The same id with the same body is the same task. */
    id?: string | undefined;
  };

export type Assigned = { taskId: TaskId; agent: AgentId; agentName: string; state: TaskState };

/**
 * Gives an agent a task. One that is here gets it as a message at once; one that is to be started gets it once it is, from
 * whoever starts it (`delivery/task-starter`), under the id that it is given here.
 */
export const assignTask: HubDecider<AssignTask, Assigned> = (input, context) => {
  const { views } = context;
  checkMayAssign(views, input.by);
  const assigner = presentSender(input.by, views);
  const id = taskIdFrom(input.id ?? context.newId());
  const earlier = views.tasks.byId(id);
  if (earlier !== undefined) return repeat(earlier, input, context);
  checkOpen(context, input.by);
  checkKnown(context, input.checks ?? []);
  const target = input.agent === undefined ? undefined : findAgent(views, input.agent, assigner.id);
  if (target !== undefined) {
    checkStays(target);
    if (target.id === assigner.id) throw new HubError("SELF_SEND", "You cannot assign a task to yourself");
    if (target.role === "human")
      throw new HubError("INVALID_INPUT", "agent: the person is assigned no tasks");
    if (input.worktree === true)
      throw new HubError(
        "INVALID_INPUT",
        "worktree: only an agent that is started for the task works in a worktree; name a backend instead of an agent",
      );
    checkRoom(assigner.id, target, context);
  }
  const task: AssignedTask = {
    id,
    by: assigner.id,
    byName: assigner.name,
    agent: target?.id ?? context.newId(),
    agentName: target?.name ?? input.spawn?.name ?? input.spawn?.backend ?? "agent",
    prompt: ownWords(assigner, input.prompt),
    attempts: input.attempts ?? 1,
    ...(target === undefined && input.spawn !== undefined ? { spawn: input.spawn } : {}),
    ...(input.keep === true ? { keep: true } : {}),
    ...(input.outputSchema === undefined ? {} : { outputSchema: input.outputSchema }),
    ...(input.checks === undefined || input.checks.length === 0 ? {} : { checks: input.checks }),
    ...(input.timeoutMs === undefined ? {} : { timeoutMs: input.timeoutMs }),
    ...(input.worktree === true ? { worktree: true } : {}),
  };
  const expiresAt = context.now + Math.max(context.limits.taskMs, input.timeoutMs ?? 0);
  const mail =
    target === undefined ? [] : taskMail(context, target, { attempt: 1, content: task.prompt, ...task });
  return {
    events: [newEvent("TaskAssigned", task.agent, { task, expiresAt }), ...mail],
    answer: () => ({ taskId: id, agent: task.agent, agentName: task.agentName, state: "pending" }),
  };
};

function checkOpen(context: HubContext, by: AgentId): void {
  const { tasks } = context.views;
  const { taskOpenCap, taskAgentCap } = context.limits;
  checkOpenWork(by, {
    code: "TASKS_FULL",
    what: "open tasks",
    all: () => tasks.openCount(),
    of: () => tasks.openCountBy(by),
    cap: taskOpenCap,
    agentCap: taskAgentCap,
  });
}

function repeat(earlier: Task, input: AssignTask, { views }: HubContext): Decision<Assigned> {
  const known = views.roster.byId(earlier.agent);
  if (earlier.by !== input.by || earlier.prompt !== input.prompt) {
    throw new HubError("ID_REUSED", `Task id "${earlier.id}" was used before for another task`, {
      task_id: earlier.id,
    });
  }
  const agentName = known?.name ?? earlier.agentName;
  return {
    events: [],
    answer: () => ({ taskId: earlier.id, agent: earlier.agent, agentName, state: earlier.state }),
  };
}
