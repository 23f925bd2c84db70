import type { Agent } from "../../model/agent.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { PeerName } from "../../model/peer.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext } from "../context.js";
import { tellReleased } from "./peer-work.js";
import { released } from "./release-work.js";
import { claimNotice, requestClaimed } from "./request-claimed.js";

/** What went over, by the words of the work and the ids of the requests, and what stays because the other one may not have it. */
export type PassedOn = { work: string[]; requests: string[]; kept: string[] };

type Passing = { events: NewEvent[]; passed: PassedOn };

/**
 * What an agent claimed becomes another's: work, with what is left of its lease and up to as much as the other may have claimed, and requests, but
 * for those that the other one asked itself. Whoever asked is told. `there`: requests of other hubs that their hubs gave to the other one.
 */
export function passOnWork(
  from: Agent,
  to: Agent,
  context: HubContext,
  there: ReadonlySet<RequestId>,
): Passing {
  const work = to.hub === null ? passWork(from, to, context) : passWorkElsewhere(from, to, to.hub, context);
  const claimed = context.views.requests.claimedBy(from.id);
  const isPassed = (request: Request) =>
    request.hub === undefined ? mayHave(to, request, context) : there.has(request.id);
  const passed = claimed.filter(isPassed);
  return {
    events: [
      ...work.events,
      ...passed.flatMap((request) => [
        requestClaimed(request, to, "passed"),
        ...(request.hub === undefined ? claimNotice(context, request, to) : []),
      ]),
    ],
    passed: {
      work: work.passed.work,
      requests: passed.map(({ id }) => id),
      kept: [...work.passed.kept, ...claimed.filter((one) => !isPassed(one)).map(({ id }) => id)],
    },
  };
}

/** Of a request of this hub: nobody has what it asked itself; an agent of another hub has what is shared with that, once it is known by its id there. */
function mayHave({ id, hub }: Agent, request: Request, { views }: HubContext): boolean {
  if (request.from === id) return false;
  return (
    hub === null || (request.hubs?.includes(hub) === true && (views.peers.agent(id)?.remote ?? null) !== null)
  );
}

function passWork(from: Agent, to: Agent, context: HubContext): Passing {
  const { views, limits, now } = context;
  const events: NewEvent[] = [];
  const passed: PassedOn = { work: [], requests: [], kept: [] };
  const room = limits.workAgentCap - views.work.countOf(to.id);
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
  return { events, passed };
}

/** To an agent of another hub: that hub notes what it has claimed from now on. */
function passWorkElsewhere(from: Agent, to: Agent, hub: PeerName, context: HubContext): Passing {
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
          hub,
          since: one.since,
        },
      }),
    ]),
    passed: { work: held.map(({ task }) => task), requests: [], kept: [] },
  };
}
