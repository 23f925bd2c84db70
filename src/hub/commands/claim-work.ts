import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { HubContext, HubDecider } from "../context.js";
import { addressNow } from "../rules/address-of.js";
import { decideClaim } from "../rules/decide-claim.js";
import { isFirst, others } from "../rules/peer-work.js";
import { presentSender } from "../rules/present-agent.js";

type ClaimWork = {
  agent: AgentId;
  task: string;
  action: "claim" | "release";
  leaseMs?: number | undefined;
};

/** `owner` is who has the task now, by name; `peers`: agents of other hubs that say they are on it too. */
export type ClaimedWork = { ok: boolean; owner: string | null; peers?: OnItToo[] };

/** `first`: it claimed the task before whoever has it here. `since`: ISO, by the clock of its hub. */
type OnItToo = { owner: string; since: string; first: boolean };

/** "I am on it", and "I no longer am". That somebody else has it is an answer, not an error. */
export const claimWork: HubDecider<ClaimWork, ClaimedWork> = (input, context) => {
  const agent = presentSender(input.agent, context.views);
  const { events, ok, owner } = decideClaim(agent, input, context);
  const name = owner === null ? null : addressNow(context.views, owner.owner, owner.ownerName, agent.id);
  const peers = ok && input.action === "claim" ? onItToo(context, input.task, agent.id) : [];
  return decided(events, { ok, owner: name, ...(peers.length === 0 ? {} : { peers }) });
};

function onItToo(context: HubContext, task: string, reader: AgentId): OnItToo[] {
  const { views, at } = context;
  const since = views.work.get(task)?.since ?? at;
  return others(context, task).map((other) => ({
    owner: addressNow(views, other.owner, other.ownerName, reader),
    since: new Date(other.since).toISOString(),
    first: !isFirst(context, { since }, other),
  }));
}
