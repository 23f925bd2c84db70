import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { TurnId } from "../../model/turn.js";
import type { HubDecider } from "../context.js";
import { turnDeliveries } from "../rules/turn-deliveries.js";

/** The agent's own output began: it has what the turn carries. */
export const recordSeen: HubDecider<{ agent: AgentId; turn: TurnId }, void> = (
  { agent, turn },
  { views },
) => {
  const deliveries = turnDeliveries(views, agent, turn).in("injected");
  if (deliveries.length === 0) return decided([], undefined);
  return decided(
    [newEvent("MessagesSeen", agent, { agent, evidence: "output", turn, deliveries })],
    undefined,
  );
};
