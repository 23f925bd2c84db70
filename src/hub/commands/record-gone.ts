import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { HubDecider } from "../context.js";
import { leave } from "../rules/leave.js";

/** A hosted agent ended because it was asked to: it is gone. */
export const recordGone: HubDecider<{ agent: AgentId; reason: "shutdown" | "killed" }, void> = (
  input,
  context,
) => {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null) return decided([], undefined);
  const why = input.reason === "killed" ? `${agent.name} was killed` : `${agent.name} was shut down`;
  return decided(leave(context, agent, input.reason, why), undefined);
};
