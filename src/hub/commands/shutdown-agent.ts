import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import { isBridged } from "../../model/hosting.js";
import type { HubDecider } from "../context.js";
import { notify } from "../rules/notify.js";
import { stoppable } from "../rules/stoppable.js";

type ShutdownAgent = { agent: AgentId; by: AgentId; reason?: string | undefined };

type ShutdownAsked = { hosted: boolean; messageId: string };

/**
 * Asks an agent to finish what it is at and end. A hosted one is ended by the hub once its turn is over; an attached one
 * reads it, and ends itself.
 */
export const shutdownAgent: HubDecider<ShutdownAgent, ShutdownAsked> = (input, context) => {
  const agent = stoppable(context, input);
  // Its bridge is the person's: it ends itself, in its pane as elsewhere.
  const hosted = agent.runtime !== null && !isBridged(agent);
  const messageId = context.newId();
  const asked = newEvent("ShutdownRequested", agent.id, {
    agent: agent.id,
    by: input.by,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
    ...(hosted ? { hosted: true } : {}),
  });
  const word = notify(context, {
    id: messageId,
    from: input.by,
    to: [agent.id],
    type: "shutdown",
    content: `Finish what you are at, then end. ${input.reason ?? ""}`.trim(),
    attention: hosted ? "fyi" : "queue",
  });
  return decided([asked, word], { hosted, messageId });
};
