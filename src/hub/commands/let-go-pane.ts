import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { isBridged } from "../../model/hosting.js";
import type { HubDecider } from "../context.js";
import { letGo } from "../rules/let-go.js";

/** The pane of an agent with a bridge of its own was closed, or its CLI ended. Its mail waits for it. */
export const letGoPane: HubDecider<{ agent: AgentId; why: string }, void> = ({ agent: id, why }, context) => {
  const agent = context.views.roster.byId(id);
  if (agent === undefined || agent.goneAt !== null || !isBridged(agent)) return decided([], undefined);
  return decided(letGo(context, agent, "closed", why), undefined);
};
