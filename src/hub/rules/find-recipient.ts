import type { Agent, AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { NewEvent } from "../../model/events.js";
import type { Peer } from "../../model/peer.js";
import type { TightViews } from "../../views/tight.js";
import type { HubContext } from "../context.js";
import { type Meant, recallAgent, refuse, resolve } from "./find-agent.js";
import { heirOf } from "./forward.js";
import { type Met, meetByName } from "./meet-peer-agent.js";
import { presentAgent } from "./present-agent.js";

/* Whom mail can go to: an agent of this hub, or of another one that is a peer. For all else `findAgent` is asked. */

const NOBODY_NEW: readonly NewEvent[] = [];

/** Whom an address means to this reader: somebody here first, so that no peer gets mail by the name that it was given. */
export function findRecipient(context: HubContext, address: string, reader: AgentId): Met {
  const { views } = context;
  const meant = resolve(views, address, reader);
  if (meant.kind === "agent" || meant.kind === "peer") return { agent: meant.agent, met: NOBODY_NEW };
  const there = views.peers.isEmpty() ? undefined : findThere(views, address, meant);
  if (there === undefined) {
    const heir = meant.kind === "gone" ? heirOf(context, address, reader) : undefined;
    if (heir !== undefined) return { agent: heir, met: NOBODY_NEW };
    throw refuse(views, address, reader, meant);
  }
  if (there.agent !== undefined) return { agent: there.agent, met: NOBODY_NEW };
  const { peer, name, team } = there;
  if (peer.kind === "plain") {
    throw new HubError(
      "AGENT_NOT_FOUND",
      `"${peer.name}" is a daemon with one agent, which is written to by that name: write "${peer.name}"`,
      { name: address, available: [peer.name], did_you_mean: peer.name },
    );
  }
  return meetByName(context, peer, { name, team });
}

/** The same among those who are known already, also by a name given up lately; undefined where nobody is meant. */
export function recallRecipient(views: TightViews, address: string, reader: AgentId): Agent | undefined {
  return recallAgent(views, address, reader) ?? knownThere(views, address, resolve(views, address, reader));
}

/** The same for whoever asks about somebody's mail, or a refusal that says who exists. */
export function findKnown(views: TightViews, address: string, reader: AgentId): Agent {
  const meant = resolve(views, address, reader);
  const found = meant.kind === "agent" ? meant.agent : knownThere(views, address, meant);
  if (found !== undefined) return found;
  throw refuse(views, address, reader, meant);
}

function knownThere(views: TightViews, address: string, meant: Meant): Agent | undefined {
  if (meant.kind === "peer") return meant.agent;
  const there = views.peers.isEmpty() ? undefined : findThere(views, address, meant);
  if (there === undefined || there.agent !== undefined) return there?.agent;
  const [only, ...others] = views.peers.named(there.peer.name, there.name, there.team);
  return only === undefined || others.length > 0 ? undefined : views.roster.byId(only.id);
}

/** The one behind an id, here or on another hub. */
export function presentRecipient(views: TightViews, id: AgentId, reader: AgentId): Met {
  const agent = views.roster.byId(id);
  const isThere = agent !== undefined && agent.hub !== null && agent.goneAt === null;
  return { agent: isThere ? agent : presentAgent(views, id, reader), met: NOBODY_NEW };
}

/** `r2d2` and `r2d2@r2d2` are the peer itself; with a team it is an agent of that name. */
type There =
  | { peer: Peer; agent: Agent }
  | { peer: Peer; agent?: undefined; name: string; team: string | undefined };

function findThere(views: TightViews, address: string, meant: Meant): There | undefined {
  const { peers, roster } = views;
  const isElsewhere = meant.kind === "elsewhere";
  if (!isElsewhere && meant.kind !== "nobody" && meant.kind !== "gone") return undefined;
  const peer = peers.byName(isElsewhere ? meant.hub : address);
  if (peer === undefined) return undefined;
  if (isElsewhere && (meant.name !== meant.hub || meant.team !== undefined))
    return { peer, name: meant.name, team: meant.team };
  const agent = roster.byId(peers.front(peer.name)?.id ?? "");
  return agent && { peer, agent };
}
