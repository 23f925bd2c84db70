import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";

/** The vendor's session, by which the agent is taken up again. */
export const recordSession: HubDecider<{ agent: AgentId; session: string }, void> = (input, { views }) => {
  const known = views.roster.byId(input.agent);
  if (known === undefined || known.session === input.session) return decided([], undefined);
  return decided([newEvent("SessionChanged", input.agent, { ...input })], undefined);
};
