import type { AgentId } from "../../model/agent.js";
import type { TightViews } from "../../views/tight.js";

/** It gets no mail, by no route, and begins no turn: it was paused. */
export function isPaused(views: TightViews, agent: AgentId): boolean {
  return (views.roster.byId(agent)?.pausedSince ?? null) !== null;
}

/**
 * It begins no turn: it is paused, or at its budget. Whatever starts turns must ask, before it is tried and when it is decided;
 * where the two differ, a driver would try for ever.
 */
export function standsStill(views: TightViews, agent: AgentId): boolean {
  return isPaused(views, agent) || views.budgets.reached("agent", agent) !== undefined;
}
