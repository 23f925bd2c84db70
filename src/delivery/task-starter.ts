import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import type { HubEvent } from "../model/events.js";
import type { Spawned, SpawnRequest } from "../model/spawn-request.js";
import type { AssignedTask } from "../model/task.js";
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

export function createTaskStarter({
  views,
  execute,
  onCommitted,
  spawn,
  onError,
}: TaskStarterPorts): TaskStarter {
  const record = (done: Promise<unknown>) => void done.catch(onError);

  async function start(task: AssignedTask): Promise<void> {
    const { id, agent, by, spawn: wanted } = task;
    if (wanted === undefined) return;
    try {
      // Its id is the task's to choose, so that asking again starts no second agent.
      await spawn({ ...wanted, by, id: agent, task: id, worktree: task.worktree === true });
      await execute("startTask", { task: id });
    } catch (error) {
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
    }
  });

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
      }
    },
    end: stop,
  };
}
