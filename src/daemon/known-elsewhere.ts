import { DEFAULT_TEAM, parseAddress } from "../model/address.js";
import type { DirectoryEntry } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { KnownElsewhere, PeerState } from "../model/peer-desk.js";
import { statusWord } from "../model/status-words.js";
import type { TightViews } from "../views/tight.js";

type Sources = {
  views: TightViews;
  reachable: (peer: Peer) => PeerState["reachable"];
  directory: (peer: PeerName) => readonly DirectoryEntry[] | undefined;
  isWatched: (peer: PeerName) => boolean;
};

/** Who is on other hubs, by name, as those told last. Of one that cannot be reached nobody is there for now. */
export function knownElsewhere(sources: Sources): KnownElsewhere[] {
  return sources.views.peers
    .all()
    .flatMap((peer) => (peer.kind === "plain" ? daemonOf(peer, sources) : agentsOf(peer, sources)))
    .sort((a, b) => (a.hub === b.hub ? compare(a.name, b.name) : compare(a.hub, b.hub)));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** A daemon of document 004 is one agent, written to by its name. */
function daemonOf(peer: Peer, { views, reachable }: Sources): KnownElsewhere[] {
  const front = views.peers.front(peer.name);
  const isAway = reachable(peer) === "no";
  return [
    {
      name: peer.name,
      hub: peer.name,
      status: isAway || front === undefined ? "offline" : statusWord("peers", front.status),
      evidence: isAway ? "it cannot be reached" : (front?.evidence ?? ""),
    },
  ];
}

function agentsOf(peer: Peer, { views, reachable, directory, isWatched }: Sources): KnownElsewhere[] {
  const told = directory(peer.name);
  const met = () =>
    views.peers
      .agentsOf(peer.name)
      .flatMap((agent) => (agent.isFront ? [] : [{ ...agent, team: agent.team ?? DEFAULT_TEAM }]));
  // Their names end in what models read.
  const agents = (told ?? met()).filter(({ name, team }) => parseAddress(`${team}/${name}`) !== undefined);
  const away =
    reachable(peer) === "no"
      ? `${peer.name} cannot be reached`
      : !isWatched(peer.name)
        ? `${peer.name} is not watched; huddle agents --everywhere asks it`
        : told === undefined
          ? `${peer.name} has not been reached since this hub started`
          : undefined;
  return agents.map((agent) => ({
    name: `${isPlain(agent, agents, peer) ? "" : `${agent.team}/`}${agent.name}@${peer.name}`,
    hub: peer.name,
    status: away === undefined ? statusWord("peers", agent.status) : "offline",
    evidence: away ?? `${peer.name} says so`,
    ...(agent.isPerson === true ? { isPerson: true } : {}),
  }));
}

type Named = { name: string; team: string };

/** Without its team: no other there has the name, and it is not that of the hub. */
function isPlain({ name, team }: Named, agents: readonly Named[], peer: Peer): boolean {
  return name !== peer.name && !agents.some((other) => other.name === name && other.team !== team);
}
