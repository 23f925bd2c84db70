import type { AgentId } from "../../model/agent.js";
import type { HubEvent } from "../../model/events.js";
import { isTaskEnded, type TaskId, type WorkflowId } from "../../model/task.js";
import type { OnHangUp } from "../operations.js";
import type { HubPorts } from "../ports.js";

/* The wait for the end of a task or a workflow, which routes and tools share. */

type Waited = {
  isOver: () => boolean;
  /** Whether this event is its end. */
  isEnd: (event: HubEvent) => boolean;
};
type Wait = { waitMs: number; signal: AbortSignal };

export function endOfTask({ views }: Pick<HubPorts, "views">, id: TaskId): Waited {
  return {
    isOver() {
      const task = views.tasks.byId(id);
      return task === undefined || isTaskEnded(task.state);
    },
    isEnd: (event) => event.type === "TaskEnded" && event.data.task === id,
  };
}

export function endOfWorkflow({ views }: Pick<HubPorts, "views">, id: WorkflowId): Waited {
  return {
    isOver() {
      const workflow = views.workflows.byId(id);
      return workflow === undefined || workflow.state !== "running";
    },
    isEnd: (event) => event.type === "WorkflowEnded" && event.data.workflow === id,
  };
}

/** Waits in a seat of whoever asks: resolves when it has ended, or the time is up, or nobody listens any more. */
export async function awaitEnd(ports: HubPorts, me: AgentId, waited: Waited, wait: Wait): Promise<void> {
  const giveUp = ports.waits.take(me);
  try {
    await follow(ports, waited, wait);
  } finally {
    giveUp();
  }
}

/** For a route: `seconds` as the query has them, until the connection is gone. */
export async function awaitEndFor(
  ports: HubPorts,
  { me, seconds = 0, onHangUp }: { me: AgentId; seconds?: number | undefined; onHangUp: OnHangUp },
  waited: Waited,
): Promise<void> {
  const waitMs = Math.min(seconds * 1000, ports.limits.waitMaxMs);
  if (waitMs <= 0) return;
  const hangUp = new AbortController();
  const stay = onHangUp(() => hangUp.abort());
  await awaitEnd(ports, me, waited, { waitMs, signal: hangUp.signal });
  stay();
}

function follow(
  { feed, lastSeq }: Pick<HubPorts, "feed" | "lastSeq">,
  { isOver, isEnd }: Waited,
  { waitMs, signal }: Wait,
): Promise<void> {
  if (waitMs <= 0 || signal.aborted || isOver()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      reader.close();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    const reader = feed.read({
      after: lastSeq(),
      deliver(events) {
        if (events.some(isEnd)) end();
        return true;
      },
      onFailure: end,
    });
    signal.addEventListener("abort", end);
    // Between the look above and the feed's place nothing can commit: both happen in one turn of the event loop.
  });
}
