import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Work } from "../../views/work.js";
import type { HubContext } from "../context.js";
import { contest, tellReleased } from "./peer-work.js";
import { released } from "./release-work.js";

type WorkAction = {
  task: string;
  action: "claim" | "release";
  leaseMs?: number | undefined;
  /** An agent of another hub that is told of it. */
  tell?: AgentId | undefined;
};

/** `owner` is who has the task after it, under the name of then. */
type ClaimOutcome = {
  events: NewEvent[];
  ok: boolean;
  owner: Pick<Work, "owner" | "ownerName"> | null;
  /** Of a claim. */
  begun?: { since: number; leaseMs: number };
};

/**
 * Who has a task once an agent claims or releases it. A task has one owner, until its lease ends; claiming it again renews the
 * lease. The person may take it from anybody by releasing it.
 */
export function decideClaim(agent: Agent, wanted: WorkAction, context: HubContext): ClaimOutcome {
  const known = context.views.work.get(wanted.task);
  // Its alarm may not have rung yet: the time decides.
  const ended =
    known !== undefined && known.until <= context.now ? [released(context, known, "expired")] : [];
  const held = ended.length > 0 ? undefined : known;
  return wanted.action === "release"
    ? release({ held, ended, agent }, wanted.tell, context)
    : claim(wanted, { held, ended, agent }, context);
}

type Found = { held: Work | undefined; ended: NewEvent[]; agent: Agent };

function claim(wanted: WorkAction, { held, ended, agent }: Found, context: HubContext): ClaimOutcome {
  const { limits, now } = context;
  if (held !== undefined && held.owner !== agent.id) return { events: [], ok: false, owner: held };
  if (held === undefined) checkClaims(agent, ended.length, context);
  const until = now + Math.min(wanted.leaseMs ?? limits.workLeaseMs, limits.workLeaseMaxMs);
  const taken = { task: wanted.task, owner: agent.id, ownerName: agent.name, until };
  const since = held?.since ?? context.at;
  const told = wanted.tell === undefined ? {} : { told: wanted.tell };
  const contested = held === undefined ? contest(context, agent, { ...taken, since }, wanted.tell) : [];
  return {
    events: [...ended, newEvent("WorkClaimed", agent.id, { claim: taken, ...told }), ...contested],
    ok: true,
    owner: taken,
    begun: { since, leaseMs: until - now },
  };
}

/** The person is not limited, and is not refused because of what agents claimed. */
function checkClaims({ id }: { id: AgentId }, ended: number, { views, limits }: HubContext): void {
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
  { held, ended, agent }: Found,
  told: AgentId | undefined,
  context: HubContext,
): ClaimOutcome {
  if (held === undefined) return { events: ended, ok: true, owner: null };
  if (held.owner !== agent.id && agent.id !== HUMAN_ID) return { events: [], ok: false, owner: held };
  return {
    events: [released(context, held, "released", agent), ...tellReleased(context, held, told)],
    ok: true,
    owner: null,
  };
}
