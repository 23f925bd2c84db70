import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { PeerName } from "../../model/peer.js";
import type { HubContext } from "../context.js";
import { tellReleased } from "./peer-work.js";
import { released } from "./release-work.js";
import { claimNotice, requestClaimed } from "./request-claimed.js";

/** What went over, by the words of the work and the ids of the requests, and what stays because the other one may not have it. */
export type PassedOn = { work: string[]; requests: string[]; kept: string[] };

/**
 * What an agent claimed becomes another's: work, with what is left of its lease and up to as much as the other may have claimed, and requests, but
 * for those that the other one asked itself. Whoever asked is told.
 */
export function passOnWork(
  from: Agent,
  to: Agent,
  context: HubContext,
): { events: NewEvent[]; passed: PassedOn } {
  const { views, limits, now } = context;
  const events: NewEvent[] = [];
  const passed: PassedOn = { work: [], requests: [], kept: [] };
  const room = limits.workAgentCap - views.work.countOf(to.id);
  if (to.hub !== null) return passElsewhere(from, { ...to, hub: to.hub }, context);
  for (const held of views.work.ownedBy(from.id).filter(({ until }) => until > now)) {
    if (passed.work.length >= room) {
      passed.kept.push(held.task);
      continue;
    }
    const { task, until } = held;
    const claim = { task, owner: to.id, ownerName: to.name, until };
    events.push(released(context, held, "released"), newEvent("WorkClaimed", to.id, { claim }));
    passed.work.push(task);
  }
  for (const request of views.requests.claimedBy(from.id)) {
    if (request.from === to.id) {
      passed.kept.push(request.id);
      continue;
    }
    events.push(requestClaimed(request, to), ...claimNotice(context, request, to));
    passed.requests.push(request.id);
  }
  return { events, passed };
}

/** To an agent of another hub: that hub notes what it has claimed from now on. Requests stay: they were claimed here, by one of this hub. */
function passElsewhere(
  from: Agent,
  to: Agent & { hub: PeerName },
  context: HubContext,
): { events: NewEvent[]; passed: PassedOn } {
  const { views, now } = context;
  const held = views.work.ownedBy(from.id).filter(({ until }) => until > now);
  return {
    events: held.flatMap((one) => [
      released(context, one, "released"),
      ...tellReleased(context, one, to.id),
      newEvent("WorkClaimed", to.id, {
        claim: {
          task: one.task,
          owner: to.id,
          ownerName: to.name,
          until: one.until,
          hub: to.hub,
          since: one.since,
        },
      }),
    ]),
    passed: {
      work: held.map(({ task }) => task),
      requests: [],
      kept: views.requests.claimedBy(from.id).map(({ id }) => id),
    },
  };
}
