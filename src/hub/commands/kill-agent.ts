import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { stoppable } from "../rules/stoppable.js";

/** Ends an agent that the hub runs, at once. */
export const killAgent: HubDecider<{ agent: AgentId; by: AgentId }, void> = (input, context) => {
  const agent = stoppable(context, input);
  if (agent.runtime === null) {
    throw new HubError(
      "NOT_HOSTED",
      `"${agent.name}" is not run by this hub, so it cannot be killed; ask it to shut down, or deregister it`,
      { name: agent.name },
    );
  }
  const asked = newEvent("KillRequested", agent.id, { agent: agent.id, by: input.by, hosted: true });
  return decided([asked], undefined);
};
