import type { WorkflowId } from "../../model/task.js";
import type { HubPorts } from "../ports.js";

type Wait = { waitMs: number; signal: AbortSignal };

/** Resolves when the workflow has ended, or the time is up, or nobody listens any more. */
export function awaitWorkflow(
  { views, feed, lastSeq }: Pick<HubPorts, "views" | "feed" | "lastSeq">,
  id: WorkflowId,
  { waitMs, signal }: Wait,
): Promise<void> {
  const isOver = () => {
    const workflow = views.workflows.byId(id);
    return workflow === undefined || workflow.state !== "running";
  };
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
        if (events.some((event) => event.type === "WorkflowEnded" && event.data.workflow === id)) end();
        return true;
      },
      onFailure: end,
    });
    signal.addEventListener("abort", end);
    // Between the look above and the feed's place nothing can commit: both happen in one turn of the event loop.
  });
}
