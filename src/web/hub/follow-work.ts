import type { Workflow } from "../../client/hub-client.js";
import type { ShownEvent } from "../../contract/events/events.js";
import { queries } from "./hub.js";
import { refreshLater } from "./refresh-later.js";

/*
 * What events say about requests, work claims, what is owed, and workflows. Only what is on the page is fetched again; the
 * numbers in the sidebar are on every page.
 */

export function followWork(event: ShownEvent): void {
  switch (event.type) {
    case "RequestOpened":
      refreshRequests(event.data.request.id, "open");
      break;
    case "RequestNudged":
      refreshRequests(event.data.request, "open");
      break;
    case "RequestClaimed":
    case "RequestReopened":
      refreshRequests(event.data.request, "open", "claimed");
      break;
    case "RequestAnswered":
      refreshRequests(event.data.request, "open", "claimed", "answered");
      break;
    case "RequestExpired":
      refreshRequests(event.data.request, "open", "expired");
      break;
    case "WorkClaimed":
    case "WorkReleased":
      refreshLater(["claims"]);
      refreshLater(["obligations"]);
      break;
    case "WorkflowCreated":
      refreshLater(["workflows"]);
      break;
    case "StepStarted":
    case "StepWaiting":
    case "StepDecided":
    case "StepEnded":
    case "StepsReset":
    case "WorkflowEnded":
      refreshLater(["workflows"]);
      refreshWorkflow(event.data.workflow);
      break;
    case "TaskStarted":
    case "TaskAnswered":
    case "TaskChecked":
    case "TaskReturned":
    case "TaskEnded":
      refreshLater(["obligations"]);
      refreshByTask(event.data.task);
      break;
    case "PermissionRequested":
    case "PermissionAnswered":
    case "BudgetReached":
    case "BudgetDecided":
    case "AgentPaused":
    case "AgentResumed":
    case "AgentRenamed":
      refreshShownWorkflows();
      break;
    case "MessageAccepted":
    case "MessagesInjected":
    case "TurnEnded":
    case "AgentDeregistered":
      refreshLater(["obligations"]);
      break;
    default:
  }
}

function refreshRequests(id: string, ...statuses: readonly string[]): void {
  for (const status of statuses) refreshLater(["requests", status]);
  refreshLater(["request", id]);
  refreshLater(["obligations"]);
}

function refreshWorkflow(id: string): void {
  refreshLater(["workflow", id]);
  refreshLater(["workflow-step", id]);
}

/** Events of tasks do not name the workflow. */
function refreshByTask(task: string): void {
  for (const [, workflow] of shownWorkflows())
    if (workflow?.steps.some(({ task_id }) => task_id === task)) refreshWorkflow(workflow.workflow_id);
}

/** A step waits for the person, or goes on, without an event of its own. */
function refreshShownWorkflows(): void {
  for (const [, workflow] of shownWorkflows())
    if (workflow !== undefined && workflow.ended === null) {
      refreshWorkflow(workflow.workflow_id);
      refreshLater(["workflows"]);
    }
}

function shownWorkflows() {
  return queries.getQueriesData<Workflow>({ queryKey: ["workflow"], type: "active" });
}
