import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { type Decision, decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Work } from "../../views/work.js";
import type { HubContext, HubDecider } from "../context.js";
import { addressNow } from "../rules/address-of.js";
import { presentSender } from "../rules/present-agent.js";
import { released } from "../rules/release-work.js";

type ClaimWork = {
  agent: AgentId;
  task: string;
  action: "claim" | "release";
  leaseMs?: number | undefined;
};

/** `owner` is who has the task now, by name. */
export type ClaimedWork = { ok: boolean; owner: string | null };

/**
 * "I am on it", and "I no longer am". A task has one owner, until its lease ends; claiming it again renews the lease.
 * That somebody else has it is an answer, not an error. The person may take it from anybody by releasing it.
 */
export const claimWork: HubDecider<ClaimWork, ClaimedWork> = (input, context) => {
  const agent = presentSender(input.agent, context.views);
  const known = context.views.work.get(input.task);
  // Its alarm may not have rung yet: the time decides.
  const ended =
    known !== undefined && known.until <= context.now ? [released(context, known, "expired")] : [];
  const held = ended.length > 0 ? undefined : known;
  return input.action === "release"
    ? release(held, ended, agent, context)
    : claim(input, { held, ended, agent }, context);
};

type Found = { held: Work | undefined; ended: NewEvent[]; agent: Agent };

function claim(input: ClaimWork, { held, ended, agent }: Found, context: HubContext): Decision<ClaimedWork> {
  const { limits, now } = context;
  if (held !== undefined && held.owner !== agent.id) {
    return decided([], { ok: false, owner: ownerName(held, agent, context) });
  }
  if (held === undefined) checkClaims(agent, ended.length, context);
  const until = now + Math.min(input.leaseMs ?? limits.workLeaseMs, limits.workLeaseMaxMs);
  const taken = { task: input.task, owner: agent.id, ownerName: agent.name, until };
  return decided([...ended, newEvent("WorkClaimed", agent.id, { claim: taken })], {
    ok: true,
    owner: agent.name,
  });
}

/** The person is not limited, and is not refused because of what agents claimed. */
function checkClaims({ id }: Agent, ended: number, { views, limits }: HubContext): void {
  if (id === HUMAN_ID) return;
  if (views.work.countOf(id) >= limits.workAgentCap) {
    throw new HubError(
      "CLAIMS_FULL",
      `You have claimed ${limits.workAgentCap} tasks already (work.agent_cap); release some first`,
      { cap: limits.workAgentCap },
    );
  }
  if (views.work.count() - views.work.countOf(HUMAN_ID) - ended >= limits.workCap) {
    throw new HubError("CLAIMS_FULL", `${limits.workCap} tasks are claimed already; release some first`, {
      cap: limits.workCap,
    });
  }
}

function release(
  held: Work | undefined,
  ended: NewEvent[],
  agent: Agent,
  context: HubContext,
): Decision<ClaimedWork> {
  if (held === undefined) return decided(ended, { ok: true, owner: null });
  if (held.owner !== agent.id && agent.id !== HUMAN_ID) {
    return decided([], { ok: false, owner: ownerName(held, agent, context) });
  }
  return decided([released(context, held, "released", agent)], { ok: true, owner: null });
}

function ownerName({ owner, ownerName: then }: Work, agent: Agent, { views }: HubContext): string {
  return addressNow(views, owner, then, agent.id);
}
