import { type Agent, HUMAN_ID } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { NAME_PATTERN } from "../../model/names.js";
import { reservedLike } from "../../model/reserved-names.js";
import { type AssignedTask, taskIdFrom } from "../../model/task.js";
import type { StepAssignee } from "../../model/workflow.js";
import type { HubContext } from "../context.js";
import { isPresent } from "./present-agent.js";
import { composeStepPrompt, type Inflow } from "./step-prompt.js";
import { taskMail } from "./task-mail.js";
import { type Flow, isLeaving, type StepNow } from "./workflow-flow.js";

/** What a step that only asks puts out, unless the person says more. */
export const APPROVED = "approved";

type Begun = { kind: "started"; events: NewEvent[] } | { kind: "cannot"; why: string };

/** Assigns a step's task to its agent, with what flows into it. */
export function startStep(context: HubContext, flow: Flow, step: StepNow): Begun {
  const { views, newId, now, limits } = context;
  const assignee = step.assignee ?? step.defined;
  const target = assignee.agent === undefined ? undefined : views.roster.byId(assignee.agent);
  if (assignee.spawn === undefined && (target === undefined || !isHere(context, target))) {
    const name = target?.name ?? assignee.agentName ?? "its agent";
    return { kind: "cannot", why: `its agent ${name} has left; retry the step with another agent` };
  }
  const { outputSchema, checks, timeoutMs, worktree, keep, attempts = 1 } = step.defined;
  const creator = creatorOf(context, flow);
  const id = taskIdFrom(newId());
  const spawn = assignee.spawn === undefined ? undefined : spawnFor(assignee.spawn, step);
  const task: AssignedTask = {
    id,
    ...creator,
    agent: target?.id ?? newId(),
    agentName: target?.name ?? spawn?.name ?? spawn?.backend ?? "agent",
    prompt: promptFor(context, flow, step),
    attempts,
    ...(spawn === undefined ? {} : { spawn }),
    ...(keep === true ? { keep } : {}),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(checks === undefined ? {} : { checks }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(worktree === true ? { worktree } : {}),
    step: { workflow: flow.id, step: step.name },
  };
  const expiresAt = now + Math.max(limits.taskMs, timeoutMs ?? 0);
  step.state = "running";
  step.task = id;
  step.attempt++;
  step.spent++;
  return {
    kind: "started",
    events: [
      newEvent("StepStarted", null, {
        workflow: flow.id,
        by: flow.workflow.by,
        step: step.name,
        task: id,
        attempt: step.attempt,
      }),
      newEvent("TaskAssigned", task.agent, { task, expiresAt }),
      ...(target === undefined
        ? []
        : taskMail(context, target, { attempt: 1, content: task.prompt, ...task })),
    ],
  };
}

function isHere(context: HubContext, { id, ending }: Agent): boolean {
  return isPresent(context.views, id) && ending === null && !isLeaving(context, id);
}

/** Of a creator whom nobody knows any more, the person has what it left. */
function creatorOf({ views }: HubContext, { workflow }: Flow): Pick<AssignedTask, "by" | "byName"> {
  const known = views.roster.byId(workflow.by) ?? views.roster.byId(HUMAN_ID);
  return { by: known?.id ?? HUMAN_ID, byName: known?.name ?? workflow.byName };
}

/** The agent is called as its step, where that can be an agent's name. */
function spawnFor(spawn: NonNullable<StepAssignee["spawn"]>, { name }: StepNow) {
  const wanted = name.toLowerCase();
  const isName = NAME_PATTERN.test(wanted) && reservedLike(wanted) === undefined;
  return spawn.name !== undefined || !isName ? spawn : { ...spawn, name: wanted };
}

function promptFor(context: HubContext, flow: Flow, step: StepNow): string {
  const { defined } = step;
  const find = (name: string) => inflowOf(context, flow.step(name));
  const { decision } = context.views.workflows;
  return composeStepPrompt({
    prompt: defined.prompt ?? "",
    direct: defined.dependsOn.flatMap((name) => find(name) ?? []),
    find,
    comment: step.comment ?? (step.decided === null ? undefined : decision(step.decided)?.comment),
    newId: context.newId,
  });
}

function inflowOf(context: HubContext, step: StepNow | undefined): Inflow | undefined {
  if (step === undefined) return undefined;
  const output = outputOf(context, step) ?? "";
  const isGate = step.defined.prompt === undefined && step.state === "done";
  return {
    step: step.name,
    status: step.state,
    output: isGate && output === "" ? APPROVED : output,
    error: step.error,
    ...(isGate && output === "" ? { isPlain: true } : {}),
  };
}

/** What a step put out: its task's answer, or what the person said when they let it through. */
function outputOf({ views }: HubContext, step: StepNow): string | undefined {
  if (step.output !== undefined) return step.output;
  if (step.defined.prompt !== undefined)
    return step.task === null ? undefined : views.tasks.outputOf(step.task)?.text;
  return (
    step.comment ?? (step.decided === null ? undefined : views.workflows.decision(step.decided)?.comment)
  );
}
