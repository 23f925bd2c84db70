import type { Agent } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { NewEvent } from "../../model/events.js";
import type { Addressee, MessageId } from "../../model/message.js";
import type { AssignedTask, TaskId, TaskStep } from "../../model/task.js";
import type { HubContext } from "../context.js";
import { checkBudget } from "./budget.js";
import { accept, composeMessage } from "./compose-message.js";
import { conversationOf } from "./conversation-of.js";

/*
 * A task is also a message to its agent, of the same id, that carries it as the hub's own word. What goes back to the agent
 * because its answer did not pass is numbered after it.
 */

export function taskMessageId(task: TaskId, attempt: number): MessageId {
  return attempt === 1 ? task : `${task}.${attempt}`;
}

type TaskMail = Pick<AssignedTask, "id" | "by" | "byName"> & {
  step?: TaskStep | undefined;
  attempt: number;
  content: string;
};

/** No cooldown: whoever assigns a task means it. Agents that keep each other going are still stopped by their budget. */
export function taskMail(context: HubContext, target: Agent, task: TaskMail): NewEvent[] {
  const { views } = context;
  const sender = views.roster.byId(task.by);
  if (sender === undefined) throw new HubError("INTERNAL", `No assigner ${task.by}`);
  const id = taskMessageId(task.id, task.attempt);
  const caused = conversationOf(sender, { id }, context);
  // A workflow is as long as it is; only what an agent decides by itself can go on for ever.
  const budget =
    task.step === undefined
      ? checkBudget(sender, [target], { attention: "queue", caused }, context)
      : { hold: undefined, events: [] };
  const to: Addressee = {
    agent: target.id,
    name: target.name,
    ...(budget.hold === undefined ? {} : { hold: { reason: budget.hold } }),
  };
  const message = composeMessage(
    sender,
    { content: task.content },
    { id, type: "message", to: [to], toName: target.name, attention: "queue", caused },
    views,
  );
  message.taskId = task.id;
  return [accept(message, context), ...budget.events];
}
