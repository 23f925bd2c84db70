import { HUMAN_ID } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import { quoteLine } from "../../model/others-words.js";
import type { WorkflowId } from "../../model/task.js";
import type { EndedWorkflowState } from "../../model/workflow.js";
import type { HubContext } from "../context.js";
import { notify } from "./notify.js";
import type { Flow } from "./workflow-flow.js";

/** So many steps that did not succeed are named. */
const NAMED_MOST = 5;

/** By it, a creator that has asked for the result has read this too. */
export function workflowNoticeId(id: WorkflowId, runs: number): MessageId {
  return runs === 1 ? `${id}.end` : `${id}.end.${runs}`;
}

/** Its end, and whoever is told of it: an agent that created it, of every end; the person, of what failed. */
export function endWorkflow(
  context: HubContext,
  flow: Flow,
  state: EndedWorkflowState,
  error?: string,
): NewEvent[] {
  const { id, workflow, runs } = flow;
  const ended = newEvent("WorkflowEnded", null, {
    workflow: id,
    by: workflow.by,
    state,
    ...(error === undefined ? {} : { error }),
  });
  const creator = context.views.roster.byId(workflow.by);
  if (creator === undefined || creator.goneAt !== null || state === "cancelled") return [ended];
  if (creator.id === HUMAN_ID && state === "done") return [ended];
  return [
    ended,
    notify(context, {
      id: workflowNoticeId(id, runs),
      to: [creator.id],
      type: "response",
      content: describe(flow, state),
      attention: "queue",
      requestId: id,
      notice: "task",
      metadata: { workflow_id: id, status: state },
    }),
  ];
}

function describe(flow: Flow, state: EndedWorkflowState): string {
  const name = `The workflow "${quoteLine(flow.workflow.name)}" (${flow.id})`;
  if (state === "done") return `${name} is done. get_workflow has the outputs of its ${flow.steps} steps.`;
  const bad = flow
    .all()
    .filter(({ state: status, continued }) => (status === "failed" || status === "cancelled") && !continued);
  const named = bad
    .slice(0, NAMED_MOST)
    .map(({ name: step, error }) => `${step}: ${quoteLine(error ?? "no reason was given")}`);
  const more = bad.length > NAMED_MOST ? [`and ${bad.length - NAMED_MOST} more`] : [];
  const ways =
    flow.workflow.by === HUMAN_ID
      ? `huddle workflow show ${flow.id}`
      : "get_workflow tells more; retry_step runs a step again";
  return `${name} has failed. ${[...named, ...more].join("; ")}. (${ways})`;
}
