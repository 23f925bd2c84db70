import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { isBridged } from "../../model/hosting.js";
import type { HubDecider } from "../context.js";
import type { Said } from "../rules/end-turn.js";
import { leave } from "../rules/leave.js";
import { letGo } from "../rules/let-go.js";

type RecordGone = { agent: AgentId; reason: "shutdown" | "killed"; said?: Said | undefined };

/** A hosted agent ended because it was asked to: it is gone. One with a bridge of its own is only let go. */
export const recordGone: HubDecider<RecordGone, void> = (input, context) => {
  const agent = context.views.roster.byId(input.agent);
  if (agent === undefined || agent.goneAt !== null) return decided([], undefined);
  if (isBridged(agent)) return decided(letGo(context, agent, "killed", "it was asked for"), undefined);
  const why = input.reason === "killed" ? `${agent.name} was killed` : `${agent.name} was shut down`;
  return decided(leave(context, agent, input.reason, why, input.said), undefined);
};
