import { type Agent, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import { type EventData, type NewEvent, newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import { quoteLine } from "../../model/others-words.js";
import { isChecked, type TaskId } from "../../model/task.js";
import { keepEnd } from "../../model/turn.js";
import type { Task } from "../../views/tasks.js";
import type { HubContext } from "../context.js";
import { deliveryRef } from "./delivery-ref.js";
import { notify } from "./notify.js";
import { isPresent } from "./present-agent.js";
import { stepEnded } from "./step-ended.js";
import { taskMessageId } from "./task-mail.js";

/** Longer answers are cut at their beginning: the end says most. */
const OUTPUT_MOST = 256 * 1024;
/** So much of an answer stands in what its assigner is told. */
const TOLD_MOST = 2000;

export type TaskEnd = Pick<EventData["TaskEnded"], "state" | "error" | "worktree">;

/** The agent is done with it, or says so. Where nothing is looked at, it is. */
export function answerTask(context: HubContext, task: Task, text: string): NewEvent[] {
  const { id, by, agent, attempt } = task;
  const output = keepEnd(text, OUTPUT_MOST);
  const cut = output === text ? {} : { cut: true as const };
  const answered = newEvent("TaskAnswered", agent, { task: id, by, agent, attempt, output, ...cut });
  return isChecked(task) ? [answered] : [answered, ...endTask(context, task, { state: "done" }, output)];
}

/**
 * Its end, and what follows from it for its agent, for whoever assigned it and for the workflow that it is of. Its mail has
 * ended, or ends by the same decision.
 */
export function endTask(context: HubContext, task: Task, end: TaskEnd, output?: string): NewEvent[] {
  const { id, by, agent } = task;
  return [
    newEvent("TaskEnded", agent, { task: id, by, agent, ...end }),
    ...withdrawChecks(context, task),
    ...endAgent(context, task, end),
    ...tellAssigner(context, task, end, output),
    ...stepEnded(context, task, end, output),
  ];
}

/** It ends from outside, wherever it is: what its agent has not finished of it is not to be done any more. */
export function callOffTask(context: HubContext, task: Task, end: TaskEnd): NewEvent[] {
  return [...endTask(context, task, end), ...withdraw(context, task, end)];
}

const unfinished = ["accepted", "held", "offered", "injected", "seen"];

function withdraw(context: HubContext, task: Task, { state, error }: TaskEnd): NewEvent[] {
  const { views } = context;
  const { agent, message, spawn, keep } = task;
  // One that is being checked has been answered: its agent is not at it any more.
  const isAnswered = message === null || task.state === "checking";
  const delivery = isAnswered ? undefined : views.inbox.get(message, agent);
  if (delivery === undefined || !unfinished.includes(delivery.state)) return [];
  const isKnown = delivery.state !== "accepted" && delivery.state !== "held";
  const why = state === "cancelled" ? "was cancelled" : `has failed: ${error ?? "it was ended"}`;
  const deliveries = [deliveryRef(views, delivery)];
  const failed = newEvent("DeliveriesFailed", agent, { agent, reason: "cancelled", deliveries });
  const isGoing = spawn !== undefined && keep !== true;
  if (!isKnown || isGoing || !isPresent(views, agent)) return [failed];
  const isHosted = (views.roster.byId(agent)?.runtime ?? null) !== null;
  return [
    failed,
    notify(context, {
      to: [agent],
      type: "system",
      content: `The task ${task.id} ${why}. Do not go on with it.`,
      // One that the hub runs is interrupted by the hub itself.
      attention: isHosted ? "fyi" : "queue",
      notice: "task",
    }),
  ];
}

/** The person need not say whether its checks may run, or what makes its worktree ready: its assigner asks for that. */
function withdrawChecks({ views }: HubContext, task: Task): NewEvent[] {
  const { id, state, worktree } = task;
  const agent = state === "checking" ? task.agent : task.by;
  if (state !== "checking" && (state !== "pending" || worktree !== true)) return [];
  return views.permissions
    .openOf(agent)
    .filter(({ permission }) => permission.run?.task === id)
    .map(({ permission }) =>
      newEvent("PermissionAnswered", agent, {
        agent,
        permission: permission.id,
        outcome: "cancelled",
        by: HUB_ID,
        reason: "cancelled",
      }),
    );
}

/** Whoever was started for it has nothing more to do. */
function endAgent({ views }: HubContext, { agent, spawn, keep }: Task, { state }: TaskEnd): NewEvent[] {
  if (spawn === undefined || keep === true || !isPresent(views, agent)) return [];
  const asked = { agent, by: HUB_ID, hosted: true as const };
  return state === "done"
    ? [newEvent("ShutdownRequested", agent, { ...asked, reason: "its task is done" })]
    : [newEvent("KillRequested", agent, asked)];
}

/** By it, an assigner that has asked for the result has read this too. */
export function endNoticeId(task: TaskId): MessageId {
  return `${task}.end`;
}

/** An agent that waits for nothing else is woken by it; the person is only told of what failed. */
function tellAssigner(context: HubContext, task: Task, end: TaskEnd, output = ""): NewEvent[] {
  const { views } = context;
  const assigner: Agent | undefined = views.roster.byId(task.by);
  if (task.step !== undefined || assigner === undefined || assigner.goneAt !== null) return [];
  if (end.state === "cancelled" || (assigner.id === HUMAN_ID && end.state === "done")) return [];
  const agent = views.roster.byId(task.agent)?.name ?? task.agentName;
  const asked = task.message === null ? undefined : views.messages.bySeq(task.message)?.data.message;
  const more = output.length > TOLD_MOST ? " get_task_result has all of it." : "";
  const content =
    end.state === "done"
      ? `Task ${task.id} of ${agent} is done.${more}\n\n${keepEnd(output, TOLD_MOST)}`
      : `Task ${task.id} of ${agent} has failed: ${quoteLine(end.error ?? "no reason was given")}`;
  return [
    notify(context, {
      id: endNoticeId(task.id),
      to: [assigner.id],
      type: "response",
      content,
      attention: "queue",
      requestId: task.id,
      notice: "task",
      metadata: { task_id: task.id, status: end.state },
      ...(asked === undefined ? {} : { conversation: asked.conversation, hop: asked.hop + 1 }),
      ...(task.message === null ? {} : { replyTo: taskMessageId(task.id, task.attempt) }),
    }),
  ];
}
