import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { HubDecider } from "../context.js";
import { addressNow } from "../rules/address-of.js";
import { decideClaim } from "../rules/decide-claim.js";
import { presentSender } from "../rules/present-agent.js";

type ClaimWork = {
  agent: AgentId;
  task: string;
  action: "claim" | "release";
  leaseMs?: number | undefined;
};

/** `owner` is who has the task now, by name. */
export type ClaimedWork = { ok: boolean; owner: string | null };

/** "I am on it", and "I no longer am". That somebody else has it is an answer, not an error. */
export const claimWork: HubDecider<ClaimWork, ClaimedWork> = (input, context) => {
  const agent = presentSender(input.agent, context.views);
  const { events, ok, owner } = decideClaim(agent, input, context);
  const name = owner === null ? null : addressNow(context.views, owner.owner, owner.ownerName, agent.id);
  return decided(events, { ok, owner: name });
};
