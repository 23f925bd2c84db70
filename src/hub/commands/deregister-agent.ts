import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { HubDecider } from "../context.js";
import { leave } from "../rules/leave.js";
import { presentAgent } from "../rules/present-agent.js";

type DeregisterAgent = { agent: AgentId; by: "itself" | "operator" };

/** An agent leaves: its token dies with it, and its unread mail fails visibly. */
export const deregisterAgent: HubDecider<DeregisterAgent, void> = (input, context) => {
  const agent = presentAgent(context.views, input.agent);
  const reason = input.by === "itself" ? "left" : "removed";
  return decided(leave(context, agent, reason, `${agent.name} has left`), undefined);
};
