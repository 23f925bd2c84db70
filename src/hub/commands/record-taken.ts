import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { TakenEvidence } from "../../model/delivery.js";
import { newEvent } from "../../model/events.js";
import type { TurnId } from "../../model/turn.js";
import type { HubDecider } from "../context.js";
import { startTasks } from "../rules/start-tasks.js";
import { turnDeliveries } from "../rules/turn-deliveries.js";

type RecordTaken = {
  agent: AgentId;
  turn: TurnId;
  evidence: TakenEvidence;
  /** Only that there is mail was put in: the agent reads it itself. */
  pointer: boolean;
};

/** The runtime took the turn's mail. What the agent proved in the meantime is further already. */
export const recordTaken: HubDecider<RecordTaken, void> = (input, context) => {
  const { agent, turn, evidence, pointer } = input;
  const deliveries = turnDeliveries(context.views, agent, turn).in("offered");
  if (deliveries.length === 0) return decided([], undefined);
  const taken = { agent, turn, evidence, ...(pointer ? { pointer: true as const } : {}), deliveries };
  // One that is only told that mail waits does not have it yet.
  const begun = pointer ? [] : startTasks(context, deliveries);
  return decided([newEvent("MessagesInjected", agent, taken), ...begun], undefined);
};
