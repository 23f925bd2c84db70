import type { NewEvent } from "../../model/events.js";
import type { Message } from "../../model/message.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext } from "../context.js";
import { answerTask } from "./end-task.js";
import { repliedMessage } from "./replied-message.js";
import { startTasks } from "./start-tasks.js";

/**
 * A reply to the message that assigned a task is its answer, from an agent that pulls its mail. One whose turn the hub sees
 * answers with the end of that turn, and what it replies meanwhile is talk.
 */
export function answerTaskByReply(message: Message, context: HubContext): NewEvent[] {
  const { views } = context;
  const task = repliedTask(views, message);
  if (task === undefined || task.message === null) return [];
  if (views.turns.open(task.agent)?.deliveries.includes(task.message) === true) return [];
  return [...startTasks(context, [{ seq: task.message }]), ...answerTask(context, task, message.content)];
}

function repliedTask(views: TightViews, { from, replyTo, to }: Message): Task | undefined {
  if (replyTo === undefined || views.tasks.openCount() === 0) return undefined;
  const target = to[0]?.agent ?? "";
  const taskId = repliedMessage(views, { replier: from, replyTo, target })?.data.message.taskId;
  const task = taskId === undefined ? undefined : views.tasks.byId(taskId);
  const isOpen = task?.state === "pending" || task?.state === "running";
  return isOpen && task.agent === from ? task : undefined;
}
