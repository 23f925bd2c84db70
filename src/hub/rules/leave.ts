import { type Agent, HUB_ID } from "../../model/agent.js";
import { type EventData, type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { endTask } from "./end-task.js";
import { endTurn, type Said } from "./end-turn.js";
import { failWaiting } from "./fail-waiting.js";
import { releaseClaimsOf } from "./release-claims.js";
import { noteLeaving } from "./workflow-flow.js";

type LeaveReason = EventData["AgentDeregistered"]["reason"];

/** An agent goes for good: its token dies, its unread mail fails visibly, and what it had taken on is free again. */
export function leave(
  context: HubContext,
  agent: Agent,
  reason: LeaveReason,
  why: string,
  said?: Said,
): NewEvent[] {
  const { views } = context;
  noteLeaving(context, agent.id);
  const turn = views.turns.open(agent.id);
  const lost =
    turn === undefined
      ? []
      : endTurn(context, { agent: agent.id, turn: turn.id, stop: "died", text: "", ...said });
  const returned = lost.flatMap((event) => (event.type === "MessagesReturned" ? event.data.deliveries : []));
  const events = [
    newEvent("AgentDeregistered", agent.id, { agent: agent.id, name: agent.name, reason }),
    ...views.permissions.openOf(agent.id).map(({ permission }) =>
      newEvent("PermissionAnswered", agent.id, {
        agent: agent.id,
        permission: permission.id,
        outcome: "cancelled",
        by: HUB_ID,
        reason: "cancelled",
      }),
    ),
    ...lost,
    ...failWaiting(context, agent.id, { reason: "agent_gone", why, returned }),
    ...releaseClaimsOf(context, agent.id, "left"),
  ];
  return [...events, ...failTasks(context, agent, why, events)].filter((event) => !isStopOf(event, agent));
}

/** What it had read, and was not in a turn about. */
function failTasks(context: HubContext, agent: Agent, why: string, events: readonly NewEvent[]): NewEvent[] {
  const ended = events.flatMap((event) => (event.type === "TaskEnded" ? event.data.task : []));
  return context.views.tasks
    .openOf(agent.id)
    .filter(({ id, state }) => !ended.includes(id) && state !== "checking")
    .flatMap((task) => endTask(context, task, { state: "failed", error: why }));
}

/** The end of a task would end its agent, which is going already. */
function isStopOf(event: NewEvent, agent: Agent): boolean {
  const isStop = event.type === "ShutdownRequested" || event.type === "KillRequested";
  return isStop && event.data.agent === agent.id;
}
