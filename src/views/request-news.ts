import { DEFAULT_TEAM } from "../model/address.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { AskedThere, RequestNews } from "../model/link.js";
import type { PeerName } from "../model/peer.js";
import { idThere, type RequestId } from "../model/request.js";
import type { Messages } from "./messages.js";
import type { Peers } from "./peers.js";
import type { Request, Requests } from "./requests.js";
import type { Roster } from "./roster.js";

/** What a peer is to be told of a request; the rest is filled in when it goes. */
export type RequestNote =
  | { request: RequestId; state: "open" | "expired" }
  | { request: RequestId; state: "claimed" | "answered"; by: AgentId; byName: string; passed?: true }
  | { request: RequestId; state: "left"; by: AgentId };

type Sources = {
  peers: Pick<Peers, "agent">;
  roster: Pick<Roster, "byId">;
  requests: Pick<Requests, "byId">;
  messages: Pick<Messages, "bySender">;
};

/** The peers that are told what becomes of a request: those that it is shared with; of another hub's request, that hub where its claimer left. */
export function toldOf(
  { hubs = [], hub }: Pick<Request, "hubs" | "hub">,
  isLeft: boolean,
): readonly PeerName[] {
  if (hub === undefined) return hubs;
  return isLeft ? [hub] : [];
}

/** The note as it goes to this peer. Undefined: it was overtaken, and another one follows. */
export function composeNews(
  note: RequestNote,
  peer: PeerName,
  now: number,
  sources: Sources,
): RequestNews | undefined {
  const request = sources.requests.byId(note.request);
  if (request === undefined) return undefined;
  const id = idThere(request);
  switch (note.state) {
    case "open":
      return request.state.kind === "open"
        ? { id, state: "open", ...askedThere(request, now, sources) }
        : undefined;
    case "claimed":
    case "answered": {
      const claimer = sources.peers.agent(note.by);
      const own = claimer?.peer === peer ? claimer.remote : null;
      if (own === null) return { id, state: note.state, by: { name: note.byName } };
      // It may have been handed to that one before its hub heard of it. Only then: a frame that was sent is the same after a rebuild.
      const asked = note.passed === true ? { asked: askedThere(request, now, sources) } : {};
      return { id, state: note.state, by: { id: own, name: note.byName }, ...asked };
    }
    case "expired":
      return { id, state: "expired" };
    case "left":
      return { id, state: "left", by: note.by };
  }
}

function askedThere(request: Request, now: number, { roster, messages }: Sources): AskedThere {
  const { id, from, fromName, description, context, timeoutMs, expiresAt, nudges } = request;
  const asked = messages.bySender(from, id)?.data.message;
  return {
    from: {
      id: from,
      name: roster.byId(from)?.name ?? fromName,
      team: roster.byId(from)?.team ?? DEFAULT_TEAM,
      ...(from === HUMAN_ID ? { isPerson: true } : {}),
    },
    description,
    ...(context === undefined ? {} : { context }),
    timeoutMs,
    expiresInMs: Math.max(1, expiresAt - now),
    nudges,
    conversation: asked?.conversation ?? id,
    hop: asked?.hop ?? 0,
  };
}
