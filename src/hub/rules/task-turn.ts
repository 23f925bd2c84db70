import type { AgentId } from "../../model/agent.js";
import type { NewEvent } from "../../model/events.js";
import type { TurnStop } from "../../model/turn.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext } from "../context.js";
import { answerTask, endTask } from "./end-task.js";
import { isPaused } from "./stands-still.js";
import { startTasks } from "./start-tasks.js";

type TaskTurn = {
  agent: AgentId;
  /** What the turn carried. */
  seqs: readonly number[];
  stop: TurnStop;
  text: string;
  error?: string | undefined;
  /** What its end means for that mail. */
  consequences: readonly NewEvent[];
};

/**
 * The task that a turn is about: the one that it carries, or one that the agent was interrupted at and goes on with. A turn
 * carries no more than one.
 */
export function taskOfTurn(views: TightViews, agent: AgentId, seqs: readonly number[]): Task | undefined {
  const open = views.tasks.openOf(agent).filter(({ state }) => state !== "checking");
  return (
    open.find(({ message }) => message !== null && seqs.includes(message)) ??
    open.find(({ state, message }) => state === "running" && wasCut(views, agent, message))
  );
}

function wasCut(views: TightViews, agent: AgentId, message: number | null): boolean {
  return message !== null && views.inbox.get(message, agent)?.state === "finished";
}

/** What the end of a turn means for the task that it was about. */
export function endTaskTurn(context: HubContext, turn: TaskTurn): NewEvent[] {
  const task = taskOfTurn(context.views, turn.agent, turn.seqs);
  if (task === undefined || !isKnown(context.views, task, turn.consequences)) return [];
  switch (turn.stop) {
    case "end_turn":
      return [
        // Where it was read only in this turn, that it was begun shows now.
        ...startTasks(context, [{ seq: task.message ?? 0 }]),
        ...answerTask(context, task, turn.text === "" ? replyTo(context.views, task) : turn.text),
      ];
    case "error":
    case "refusal":
    case "max_tokens":
    case "max_turns":
      return endTask(context, task, { state: "failed", error: describeStop(turn) });
    case "died":
      // Ended because it did not let itself be paused: it goes on later.
      if (isPaused(context.views, turn.agent)) return [];
      // Mail that was in the turn has failed with it, and the task by that.
      return turn.seqs.includes(task.message ?? -1)
        ? []
        : endTask(context, task, { state: "failed", error: "its agent died while it was at it" });
    default:
      // Interrupted, or cut with the hub: it goes on.
      return [];
  }
}

/** Its agent had it, or read it in this turn: one that was only told that mail waits may have left it. */
function isKnown(views: TightViews, task: Task, consequences: readonly NewEvent[]): boolean {
  const state = task.message === null ? undefined : views.inbox.get(task.message, task.agent)?.state;
  if (state === "seen" || state === "finished") return true;
  return consequences.some(
    (event) =>
      (event.type === "MessagesFinished" || event.type === "MessagesSeen") &&
      event.data.deliveries.some(({ seq }) => seq === task.message),
  );
}

/** Where the hub cannot see what the agent said, its reply is what it answered. */
function replyTo(views: TightViews, { message, agent }: Task): string {
  const by = message === null ? null : (views.inbox.get(message, agent)?.answeredBy ?? null);
  return by === null ? "" : (views.messages.bySender(agent, by)?.data.message.content ?? "");
}

function describeStop({ stop, error }: TaskTurn): string {
  const words: Partial<Record<TurnStop, string>> = {
    error: "its agent stopped with an error",
    refusal: "its agent refused",
    max_tokens: "its agent ran out of tokens",
    max_turns: "its agent ran out of turns",
  };
  const word = words[stop] ?? stop;
  return error === undefined ? word : `${word}: ${error}`;
}
