import type { Agent, AgentId } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { LinkMail } from "../../model/link.js";
import { quoteLine } from "../../model/others-words.js";
import type { Peer } from "../../model/peer.js";
import { type Typed, typedLine } from "../../model/typed-message.js";
import { goesFirst } from "../../model/work.js";
import type { PeerWork } from "../../views/peer-work.js";
import type { Work } from "../../views/work.js";
import type { HubContext } from "../context.js";
import { notify } from "./notify.js";

/*
 * Work that agents of several hubs claim. No hub can keep another from it: both claims stand, both sides are told, and the earlier one goes
 * first. A hub that learns of a claim of what somebody here is on tells that one of ours, once.
 */

type Coordination = Extract<Typed, { kind: "coordination" }>;

/** A claim or release that an agent of another hub tells of. */
export function takeCoordination(
  context: HubContext,
  peer: Peer,
  sender: Agent,
  { typed, at }: Pick<LinkMail, "typed" | "at">,
  /** What was claimed before in the same command, of which the views know nothing yet. */
  begun: Set<string>,
): NewEvent[] {
  // Somebody else of its own hub has the task: it says so, and claims nothing.
  if (typed?.kind !== "coordination" || typed.ok === false) return [];
  const { views, limits, now } = context;
  const { task } = typed;
  const key = `${sender.id} ${task}`;
  const known = views.peerWork.get(task, sender.id);
  const isKnown = known !== undefined || begun.has(key);
  const named = { task, owner: sender.id, ownerName: sender.name, hub: peer.name };
  if (typed.action === "release") {
    begun.delete(key);
    return isKnown ? [releasedElsewhere(named, "released")] : [];
  }
  if (!isKnown && views.peerWork.countOf(sender.id) >= limits.workAgentCap) return [];
  begun.add(key);
  const claim: PeerWork = {
    ...named,
    since: known?.since ?? typed.since ?? at,
    until: now + Math.min(typed.leaseMs ?? limits.workLeaseMs, limits.workLeaseMaxMs),
  };
  const claimed = newEvent("WorkClaimed", sender.id, { claim });
  const held = views.work.get(task);
  const isContested = !isKnown && held !== undefined && held.until > now;
  if (!isContested) return [claimed];
  const told = typed.told === true ? [] : tellOurs(context, held, sender);
  return [claimed, tellOwner(context, held, claim), ...told];
}

/** Somebody here begins on what agents of other hubs are on: both sides are told; `told` is one that hears it otherwise. */
export function contest(context: HubContext, owner: Agent, claim: Work, told?: AgentId): NewEvent[] {
  return others(context, claim.task).flatMap((other) => {
    const there = context.views.roster.byId(other.owner);
    if (there === undefined) return [];
    const ours = other.owner === told ? [] : tellOurs(context, claim, there, owner);
    return [tellOwner(context, claim, other), ...ours];
  });
}

/** The claims of other hubs that hold. */
export function others({ views, now }: HubContext, task: string): PeerWork[] {
  return views.peers.isEmpty() ? [] : views.peerWork.of(task).filter(({ until }) => until > now);
}

type Known = Pick<HubContext, "views" | "limits">;

/** Whether a claim of this hub goes before one of another. */
export function isFirst({ views, limits }: Known, own: Pick<Work, "since">, other: PeerWork): boolean {
  const there = views.peers.byName(other.hub)?.hubId ?? null;
  const mine = { since: own.since, hubId: limits.hubId?.() ?? null };
  return goesFirst(mine, { since: other.since, hubId: there });
}

function tellOwner(context: HubContext, held: Work, other: PeerWork): NewEvent {
  const task = `"${quoteLine(held.task)}"`;
  const when = new Date(other.since).toISOString();
  return notify(context, {
    to: [held.owner],
    type: "system",
    content: isFirst(context, held, other)
      ? `${other.ownerName} claimed ${task} too, at ${when}. You were first, and it is told so.`
      : `${other.ownerName} claimed ${task} before you, at ${when}, and goes first. Settle with it who goes on, or release yours.`,
    attention: "queue",
    metadata: { contested: held.task },
  });
}

/** In the name of its owner: what it is on, since when. `told`: they told of theirs, and need not tell again. */
function tellOurs(context: HubContext, held: Work, to: Agent, owner?: Agent): NewEvent[] {
  const { now } = context;
  const { task, since, until } = held;
  const typed: Coordination = {
    kind: "coordination",
    action: "claim",
    task,
    ok: true,
    since,
    leaseMs: until - now,
    told: true,
  };
  return [
    coordinate(context, owner?.id ?? held.owner, to.id, typed),
    newEvent("WorkClaimed", held.owner, { claim: claimOf(held), told: to.id }),
  ];
}

function claimOf({ task, owner, ownerName, until }: Work) {
  return { task, owner, ownerName, until };
}

/** Whoever of other hubs was told that it is claimed hears that it is free; but for one that hears it otherwise. */
export function tellReleased(context: HubContext, { task, owner }: Work, but?: AgentId): NewEvent[] {
  const { views } = context;
  if (views.peers.isEmpty()) return [];
  const typed: Coordination = { kind: "coordination", action: "release", task, ok: true, told: true };
  return views.peerWork
    .told(task)
    .filter((agent) => agent !== but && views.roster.byId(agent)?.goneAt === null)
    .map((agent) => coordinate(context, owner, agent, typed));
}

function coordinate(context: HubContext, from: AgentId, to: AgentId, typed: Coordination): NewEvent {
  return notify(context, {
    from,
    to: [to],
    type: "coordination",
    content: typedLine(typed) ?? "",
    attention: "queue",
    typed,
  });
}

export function releasedElsewhere(
  { task, owner, ownerName, hub }: Pick<PeerWork, "task" | "owner" | "ownerName" | "hub">,
  reason: "released" | "expired",
): NewEvent {
  return newEvent("WorkReleased", owner, { task, owner, ownerName, reason, hub });
}
