import type { z } from "zod";
import type { workflowRoutes } from "../../contract/http/workflows.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { isBetweenTries } from "../../hub/rules/run-steps.js";
import { APPROVED } from "../../hub/rules/start-step.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import type { WorkflowStep } from "../../model/workflow.js";
import type { StepRow, WorkflowRow } from "../../views/workflows.js";
import type { HubPorts } from "../ports.js";
import { wasRepeated } from "./task-view.js";
import { usageOf } from "./usage-view.js";
import { waitsFor } from "./waits-for.js";

export type WorkflowView = z.input<typeof workflowRoutes.show.response>;
export type StepView = WorkflowView["steps"][number];
type ListedWorkflow = z.input<typeof workflowRoutes.list.response>["workflows"][number];
type Ports = Pick<HubPorts, "views">;
export type Shown = { reader: AgentId; outputs?: boolean };

/** A workflow under the names of now; what its steps answered is for its creator and the operator. */
export function viewWorkflow(
  row: WorkflowRow,
  { reader, outputs = true }: Shown,
  ports: Ports,
): WorkflowView {
  const defined = ports.views.workflows.definition(row.id);
  const isTheirs = reader === HUMAN_ID || reader === row.creator;
  const steps = ports.views.workflows.steps(row.id).flatMap((step) => {
    const own = defined?.named.get(step.name);
    return own === undefined ? [] : [viewStep(step, own, { reader, outputs, isTheirs }, ports)];
  });
  const isRunning = steps.some(({ status }) => status === "running");
  const isWaiting = !isRunning && (isHeld(row, ports) || steps.some(({ status }) => status === "waiting"));
  const {
    steps: _count,
    ended_steps: _ended,
    done_steps: _done,
    failed_at: _failed,
    ...head
  } = listWorkflow(row, reader, ports);
  return {
    ...head,
    status: row.state === "running" && isWaiting ? "waiting" : row.state,
    steps,
    usage: usageOf(ports.views, "workflow", row.id),
  };
}

export function listWorkflow(row: WorkflowRow, reader: AgentId, { views }: Ports): ListedWorkflow {
  const defined = views.workflows.definition(row.id);
  const { done, failedAt } = views.workflows.progress(row.id);
  const isWaiting = row.state === "running" && (views.workflows.isWaiting(row.id) || isHeld(row, { views }));
  return {
    workflow_id: row.id,
    name: defined?.name ?? row.id,
    by: addressNow(views, row.creator, defined?.byName ?? row.creator, reader),
    status: isWaiting ? "waiting" : row.state,
    steps: row.steps,
    ended_steps: row.over,
    done_steps: done,
    ...(failedAt === null ? {} : { failed_at: failedAt }),
    created: new Date(defined?.createdAt ?? 0).toISOString(),
    ended: iso(row.ended),
  };
}

/** Its budget is used up: the person is asked. */
function isHeld({ id }: WorkflowRow, { views }: Ports): boolean {
  return views.budgets.reached("workflow", id) !== undefined;
}

export function viewStep(
  step: StepRow,
  defined: WorkflowStep,
  { reader, outputs, isTheirs }: Shown & { isTheirs: boolean },
  ports: Ports,
): StepView {
  const { views } = ports;
  const task = step.task === null ? undefined : views.tasks.byId(step.task);
  const waiting = isBetweenTries(views, step)
    ? { what: "the person: the budget of the workflow is used up", isPersons: true, since: undefined }
    : step.state === "running" && task !== undefined
      ? waitsFor(task, reader, ports)
      : undefined;
  const isAsked = step.state === "waiting";
  const waitingSince = isAsked ? step.asked : waiting?.isPersons === true ? (waiting.since ?? null) : null;
  const who = step.assignee ?? defined;
  const name = who.agentName ?? who.spawn?.backend ?? "";
  const agent = task?.agent ?? who.agent;
  return {
    name: step.name,
    agent: agent === undefined ? name : addressNow(views, agent, task?.agentName ?? name, reader),
    ...(who.spawn === undefined ? {} : { backend: who.spawn.backend }),
    status: waiting?.isPersons === true ? "waiting" : step.state,
    ...(waiting === undefined ? {} : { waits_for: waiting.what }),
    depends_on: [...defined.dependsOn],
    on: defined.on,
    ...(defined.approve === true ? { approve: true as const } : {}),
    attempt: step.attempt,
    ...(task !== undefined && wasRepeated(task, ports) ? { repeated: true as const } : {}),
    task_id: step.task,
    output: outputs === true && isTheirs ? outputOf(step, defined, ports) : null,
    error: isTheirs ? step.error : null,
    started: iso(step.started),
    asked: iso(step.asked),
    assigned: step.started === null ? null : iso(task?.assignedAt ?? null),
    began: step.started === null ? null : iso(task?.startedAt ?? null),
    ...(waitingSince === null ? {} : { waiting_since: new Date(waitingSince).toISOString() }),
    ended: iso(step.ended),
  };
}

export function outputOf(step: StepRow, { prompt }: WorkflowStep, { views }: Ports): string | null {
  if (prompt !== undefined)
    return step.task === null ? null : (views.tasks.outputOf(step.task)?.text ?? null);
  if (step.state !== "done" || step.decided === null) return null;
  return views.workflows.decision(step.decided)?.comment ?? APPROVED;
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
