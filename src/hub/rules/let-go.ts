import type { Agent } from "../../model/agent.js";
import { type EventData, type NewEvent, newEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { endTurn } from "./end-turn.js";
import { statusChange } from "./status-change.js";

type Reason = EventData["PaneLetGo"]["reason"];

/**
 * An agent with a bridge of its own is typed to no more: it pulls its mail again, as before it was adopted. Whether it is
 * still there its signs of life tell from now on.
 */
export function letGo(context: HubContext, { id }: Agent, reason: Reason, why: string): NewEvent[] {
  const turn = context.views.turns.open(id);
  // In a pane that is only let go it has what was typed, and goes on with it.
  const how = reason === "closed" ? { stop: "died" as const } : { stop: "cancelled" as const, kept: true };
  return [
    ...(turn === undefined ? [] : endTurn(context, { agent: id, turn: turn.id, text: "", ...how })),
    newEvent("PaneLetGo", id, { agent: id, reason, why }),
    ...statusChange(context, { agent: id, status: "idle", evidence: `its pane was let go: ${why}` }),
  ];
}
