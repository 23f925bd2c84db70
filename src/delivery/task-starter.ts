import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import type { AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import type { Spawned, SpawnRequest } from "../model/spawn-request.js";
import type { AssignedTask, TaskId } from "../model/task.js";
import type { TightViews } from "../views/tight.js";

type TaskStarterPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  spawn: (request: SpawnRequest) => Promise<Spawned>;
  onError: (error: unknown) => void;
};

/** Starts the agents that tasks are for, and gives them the task as soon as they are known. */
export type TaskStarter = {
  /** Goes on with what was assigned when the hub last ended. */
  begin(): void;
  end(): void;
};

/** So many that wait for a place try when one is left: some places may have gone unnoticed. */
const AT_ONCE = 4;

function isFull(error: unknown): boolean {
  return error instanceof HubError && error.code === "HOSTED_LIMIT";
}

export function createTaskStarter({
  views,
  execute,
  onCommitted,
  spawn,
  onError,
}: TaskStarterPorts): TaskStarter {
  const record = (done: Promise<unknown>) => void done.catch(onError);

  /** Agents that end with their task, or are being started for one: each of them leaves a place to another. */
  const passing = new Set<AgentId>();
  /** Steps that wait for a place, oldest first. */
  const waiting = new Map<TaskId, AssignedTask>();

  async function start(task: AssignedTask): Promise<void> {
    const { id, agent, by, keep, spawn: wanted } = task;
    if (wanted === undefined) return;
    if (keep !== true) passing.add(agent);
    try {
      // Its id is the task's to choose, so that asking again starts no second agent.
      await spawn({ ...wanted, by, id: agent, task: id, worktree: task.worktree === true });
      await execute("startTask", { task: id });
    } catch (error) {
      passing.delete(agent);
      if (isFull(error) && task.step !== undefined && passing.size > 0) {
        waiting.set(id, task);
        return;
      }
      // Nobody is left whose place they could wait for: they try, and fail by themselves.
      if (passing.size === 0) tryWaiting();
      const why = error instanceof Error ? error.message : String(error);
      await execute("failTask", { task: id, error: `its agent did not start: ${why}` });
    }
  }

  const stop = onCommitted((events) => {
    for (const event of events) {
      if (event.type === "TaskAssigned" && event.data.task.spawn !== undefined)
        record(start(event.data.task));
      // It need not have started: its mail waits for that.
      if (event.type === "SpawnRequested") giveTo(event.data.agent);
      if (event.type === "AgentDeregistered") leavePlace(event.data.agent);
    }
  });

  /** A workflow may be wider than the hub has places for agents: its steps take turns. */
  function leavePlace(agent: AgentId) {
    passing.delete(agent);
    tryWaiting();
  }

  function tryWaiting() {
    for (const [id, task] of [...waiting].slice(0, passing.size === 0 ? waiting.size : AT_ONCE)) {
      waiting.delete(id);
      if (views.tasks.byId(id)?.state === "pending") record(start(task));
    }
  }

  function giveTo(agent: string) {
    for (const { id, message, spawn: own } of views.tasks.openOf(agent)) {
      if (own !== undefined && message === null) record(execute("startTask", { task: id }));
    }
  }

  return {
    begin() {
      for (const task of views.tasks.open()) {
        if (task.spawn !== undefined && task.state === "pending" && task.message === null)
          record(start(task));
        else if (task.spawn !== undefined && task.keep !== true) passing.add(task.agent);
      }
    },
    end: stop,
  };
}
