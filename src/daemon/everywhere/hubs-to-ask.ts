import { addressOf, teamOf } from "../../hub/rules/address-of.js";
import { cutPage } from "../../link/directory-page.js";
import type { RunningLink } from "../../link/start-link.js";
import { DEFAULT_TEAM } from "../../model/address.js";
import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { MemberName } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import type { HubProblem } from "../../model/peer-desk.js";
import { statusWord } from "../../model/status-words.js";
import type { TightViews } from "../../views/tight.js";
import type { AskedHub } from "./list-everywhere.js";
import { addressAt, memberAddresses } from "./member-names.js";

type Sources = {
  views: TightViews;
  link: RunningLink | undefined;
  ownName: string;
  reader: AgentId;
};

/** Every hub that can be asked who is there: this one, then peers and other hubs of the fabric by name. */
export async function hubsToAsk(sources: Sources): Promise<{ hubs: AskedHub[]; problems: HubProblem[] }> {
  const { views, link } = sources;
  if (link === undefined) return { hubs: [ownHub(sources)], problems: [] };
  const { members, problems } = await membersOf(link);
  const peers = views.peers.all();
  const hubs = [
    ...peers.map((peer) => (peer.kind === "plain" ? daemon(peer, sources, link) : linkedHub(peer, link))),
    ...membersApart(members, peers, sources).map(([hub, member]) => memberHub(hub, member, link)),
  ];
  return { hubs: [ownHub(sources), ...hubs.sort((a, b) => (a.hub < b.hub ? -1 : 1))], problems };
}

async function membersOf(
  link: RunningLink,
): Promise<{ members: readonly MemberName[]; problems: HubProblem[] }> {
  try {
    const { members, isCut } = (await link.fabric()?.members()) ?? { members: [], isCut: false };
    const problem = `The fabric has more hubs than the ${members.length} that are listed here`;
    return { members, problems: isCut ? [{ hub: null, kind: "cut", problem }] : [] };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return { members: [], problems: [{ hub: null, kind: "unlisted", problem: error.message }] };
  }
}

/** Those that are no peers, with how they are written to. */
function membersApart(
  members: readonly MemberName[],
  peers: readonly Peer[],
  { views, ownName }: Sources,
): (readonly [string, MemberName])[] {
  const known = new Set(peers.map(({ hubId }) => hubId));
  const isTaken = (name: string) => name === ownName || views.peers.byName(name) !== undefined;
  const addresses = memberAddresses(members, isTaken);
  return members.flatMap((member) =>
    known.has(member.id) ? [] : [[addresses.get(member.id) ?? member.id, member] as const],
  );
}

function ownHub({ views, reader }: Sources): AskedHub {
  const team = teamOf(views, reader);
  return {
    hub: "",
    async ask(page) {
      const agents = views.roster.present();
      return cutPage(
        agents.map(({ id, name, team: of, label, status }) => ({
          id,
          name,
          team: of,
          label,
          status: statusWord("peers", status),
        })),
        page,
      );
    },
    addressOf({ id, name }) {
      const agent = views.roster.byId(id);
      return agent === undefined ? name : addressOf(views, agent, team);
    },
  };
}

function linkedHub(peer: Peer, link: RunningLink): AskedHub {
  return {
    hub: peer.name,
    ask: (page) => link.directoryPage(peer, page),
    addressOf: (entry) => addressAt(peer.name, entry),
  };
}

function memberHub(hub: string, member: MemberName, link: RunningLink): AskedHub {
  return {
    hub,
    async ask(page) {
      const fabric = link.fabric();
      if (fabric === undefined) throw new HubError("PEER_UNREACHABLE", "This hub has left its fabric");
      return fabric.lookUp({ id: member.id, name: hub }, page);
    },
    addressOf: (entry) => addressAt(hub, entry),
  };
}

/** A daemon of document 004 has one agent, which is written to by the name of the daemon. */
function daemon(peer: Peer, { views }: Sources, link: RunningLink): AskedHub {
  return {
    hub: peer.name,
    async ask() {
      const { reachable, lastError } = await link.ping(peer.name);
      if (reachable !== "yes")
        throw new HubError("PEER_UNREACHABLE", lastError?.message ?? `"${peer.name}" did not answer`);
      const front = views.peers.front(peer.name);
      const status = front === undefined ? "idle" : statusWord("peers", front.status);
      return {
        agents: [{ id: peer.name, name: peer.name, team: DEFAULT_TEAM, label: peer.label, status }],
      };
    },
    addressOf: () => peer.name,
  };
}
