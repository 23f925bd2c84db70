import { type Agent, HUB_ID } from "../../model/agent.js";
import { type EventData, type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { endTurn } from "./end-turn.js";
import { failWaiting } from "./fail-waiting.js";
import { releaseClaimsOf } from "./release-claims.js";

type LeaveReason = EventData["AgentDeregistered"]["reason"];

/** An agent goes for good: its token dies, its unread mail fails visibly, and what it had taken on is free again. */
export function leave(context: HubContext, agent: Agent, reason: LeaveReason, why: string): NewEvent[] {
  const { views } = context;
  const turn = views.turns.open(agent.id);
  const lost =
    turn === undefined ? [] : endTurn(context, { agent: agent.id, turn: turn.id, stop: "died", text: "" });
  const returned = lost.flatMap((event) => (event.type === "MessagesReturned" ? event.data.deliveries : []));
  return [
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
}
