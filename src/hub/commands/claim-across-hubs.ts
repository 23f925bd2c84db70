import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { type Decision, decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import type { NewEvent } from "../../model/events.js";
import type { Party } from "../../model/link.js";
import type { Peer, PeerName } from "../../model/peer.js";
import { type ClaimThere, type PeerClaim, type RequestId, SOMEBODY_ELSEWHERE } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubContext, HubDecider } from "../context.js";
import { findPeer } from "../rules/find-peer.js";
import { findRequest, recallRequest } from "../rules/find-request.js";
import { meetParty } from "../rules/meet-peer-agent.js";
import { presentSender } from "../rules/present-agent.js";
import { claimNotice, nameThere, requestClaimed } from "../rules/request-claimed.js";
import { seenByNaming } from "../rules/request-mail.js";
import { type ClaimedRequest, decideRequest } from "./claim-request.js";

/*
 * A claim that comes from another hub, and one that goes to another hub. The hub whose request it is decides; the other notes what came of it.
 */

type ClaimForPeer = { peer: PeerName; request: RequestId; by: Party; heir?: ClaimThere["heir"] | undefined };

/** An agent of a peer claims a request of this hub. Claimed again by the same one, it is still its own: the call may come twice. */
export const claimForPeer: HubDecider<ClaimForPeer, PeerClaim> = (input, context) => {
  const { views } = context;
  const peer = findPeer(views, input.peer);
  const known = views.requests.byId(input.request);
  // Of what is not shared with it a peer does not even learn that it is there.
  if (known?.hubs?.includes(peer.name) !== true)
    throw new HubError("REQUEST_NOT_FOUND", "No request of that id is shared with your hub");
  const request = findRequest(context, known.id);
  const { agent, met } = meetParty(context, peer, input.by);
  if (input.heir !== undefined) return passForPeer(context, { peer, request, from: agent, heir: input.heir });
  const { events, answer } = decideRequest(context, agent, request);
  return {
    events: [...met, ...events],
    answer(appended) {
      const { claimed, request: after } = answer(appended.slice(met.length));
      const { state } = after;
      return {
        claimed,
        status: state.kind,
        ...(!claimed && "byName" in state ? { by: state.byName } : {}),
      };
    },
  };
};

type PassForPeer = { peer: Peer; request: Request; from: Agent; heir: NonNullable<ClaimThere["heir"]> };

/** Its claimer hands it over, to another agent of its hub or to one of this. Said again, it changes nothing. */
function passForPeer(
  context: HubContext,
  { peer, request, from, heir: party }: PassForPeer,
): Decision<PeerClaim> {
  const { state } = request;
  const holder = "by" in state ? state.by : undefined;
  const { agent: heir, met } =
    party.yours === true ? ownHeir(context, party.id) : meetParty(context, peer, party);
  if (state.kind === "claimed" && holder === heir?.id)
    return decided([], { claimed: false, status: state.kind, passed: true });
  if (state.kind !== "claimed" || holder !== from.id || heir === undefined || heir.id === request.from)
    return decided([], { claimed: holder === from.id, status: state.kind });
  return decided([...met, requestClaimed(request, heir, "passed"), ...claimNotice(context, request, heir)], {
    claimed: false,
    status: state.kind,
    passed: true,
  });
}

function ownHeir({ views }: HubContext, id: AgentId): { agent: Agent | undefined; met: readonly NewEvent[] } {
  const agent = views.roster.byId(id);
  return { agent: agent?.hub === null && agent.goneAt === null ? agent : undefined, met: [] };
}

type RecordPeerClaim = { agent: AgentId; request: RequestId; answer: PeerClaim };

/** What the hub whose request it is answered to the claim of an agent of this one. */
export const recordPeerClaim: HubDecider<RecordPeerClaim, ClaimedRequest> = (input, context) => {
  const { views } = context;
  const agent = presentSender(input.agent, views);
  const request = recallRequest(views, input.request);
  const { claimed, by } = input.answer;
  const { state } = request;
  const answered = () => ({ claimed, request: recallRequest(views, request.id) });
  if (claimed) {
    const isNoted = "by" in state && state.by === agent.id;
    const events = isNoted ? [] : [requestClaimed(request, agent)];
    return { events: [...events, ...seenByNaming(context, agent.id, request.id)], answer: answered };
  }
  if (state.kind !== "open" || by === undefined) return decided([], { claimed, request });
  const somebody = { id: SOMEBODY_ELSEWHERE, name: nameThere(by, request) };
  return { events: [requestClaimed(request, somebody)], answer: answered };
};

/** An agent as the hubs that it has to do with know it. */
export function partyOf({ id, name, team }: { id: AgentId; name: string; team: string }): Party {
  return { id, name, team, ...(id === HUMAN_ID ? { isPerson: true } : {}) };
}
