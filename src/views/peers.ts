import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import { DEFAULT_TEAM } from "../model/address.js";
import type { Agent, AgentId, AgentStatus } from "../model/agent.js";
import { groupBy } from "../model/group-by.js";
import type { Peer, PeerName } from "../model/peer.js";
import { standing } from "./agent-row.js";

/** How one agent of a peer is known here. */
export type PeerAgent = {
  id: AgentId;
  peer: PeerName;
  /** The name that it has there; that of the peer for its front. */
  name: string;
  /** Null until its hub told. */
  team: string | null;
  /** The id that it has there. */
  remote: AgentId | null;
  isFront: boolean;
  isPerson: boolean;
  status: AgentStatus;
  evidence: string;
  since: number;
  metAt: number;
  goneAt: number | null;
};

/** Other hubs, and who of them was met. There are few, and every send may ask: they are kept in memory. */
export type Peers = View & {
  all(): readonly Peer[];
  byName(name: PeerName): Peer | undefined;
  isEmpty(): boolean;
  agent(id: AgentId): PeerAgent | undefined;
  /** The same as everybody knows agents. */
  asAgent(id: AgentId): Agent | undefined;
  front(peer: PeerName): PeerAgent | undefined;
  byRemote(peer: PeerName, remote: AgentId): PeerAgent | undefined;
  /** Those of that name, of a team or any; never the front. */
  named(peer: PeerName, name: string, team: string | undefined): PeerAgent[];
  agentsOf(peer: PeerName): readonly PeerAgent[];
};

type PeerRow = Omit<Peer, "hubId" | "publicKey" | "keySeenAt"> & {
  hub_id: string | null;
  public_key: string | null;
  key_seen: number | null;
  front: AgentId;
};

type AgentRow = Omit<PeerAgent, "isFront" | "isPerson" | "metAt" | "goneAt"> & {
  is_front: number;
  is_person: number;
  met_at: number;
  gone_at: number | null;
};

type Known = {
  peers: ReadonlyMap<PeerName, Peer>;
  fronts: ReadonlyMap<PeerName, AgentId>;
  agents: ReadonlyMap<AgentId, PeerAgent>;
  /** Those whose hub is a peer. */
  present: ReadonlyMap<PeerName, readonly PeerAgent[]>;
  byRemote: ReadonlyMap<string, PeerAgent>;
};

export function createPeers(db: Database): Peers {
  const listPeers = db.prepare<[], PeerRow>("SELECT * FROM peer ORDER BY name");
  const listAgents = db.prepare<[], AgentRow>("SELECT * FROM peer_agent ORDER BY met_at, id");
  const putPeer = db.prepare(
    `REPLACE INTO peer (name, kind, host, port, label, hub_id, public_key, key_seen, secret, origin, front)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removePeer = db.prepare("DELETE FROM peer WHERE name = ?");
  const insertAgent = db.prepare(
    `INSERT INTO peer_agent (id, peer, name, team, remote, is_front, is_person, since, met_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const changeAgent = db.prepare(
    "UPDATE peer_agent SET name = coalesce(?, name), team = coalesce(?, team), remote = coalesce(?, remote) WHERE id = ?",
  );
  const setStatus = db.prepare("UPDATE peer_agent SET status = ?, evidence = ?, since = ? WHERE id = ?");
  const leave = db.prepare("UPDATE peer_agent SET gone_at = ? WHERE peer = ? AND gone_at IS NULL");
  let loaded: Known | undefined;

  function load(): Known {
    const rows = listPeers.all();
    const agents = listAgents.all().map(toPeerAgent);
    const present = agents.filter(({ goneAt }) => goneAt === null);
    return {
      peers: new Map(rows.map((row) => [row.name, toPeer(row)])),
      fronts: new Map(rows.map(({ name, front }) => [name, front])),
      agents: new Map(agents.map((agent) => [agent.id, agent])),
      present: groupBy(present, ({ peer }) => peer),
      byRemote: new Map(present.map((agent) => [remoteKey(agent.peer, agent.remote ?? ""), agent])),
    };
  }
  const known = () => (loaded ??= load());
  const present = (peer: PeerName) => known().present.get(peer) ?? [];

  function put(peer: Peer, front: AgentId) {
    const { name, kind, host, port, label, hubId, publicKey, keySeenAt = null, secret, origin } = peer;
    putPeer.run(name, kind, host, port, label, hubId, publicKey, keySeenAt, secret, origin, front);
    loaded = undefined;
  }

  /** `bob@r2d2`, with the team where another of that peer has the name too, or where it is the name of the peer. */
  function addressOf(agent: PeerAgent): string {
    if (agent.isFront) return agent.name;
    const isPlain =
      agent.team === null ||
      (agent.name !== agent.peer &&
        !present(agent.peer).some(({ name, team }) => name === agent.name && team !== agent.team));
    return `${isPlain ? "" : `${agent.team}/`}${agent.name}@${agent.peer}`;
  }

  return {
    tables: ["peer", "peer_agent"],
    forget() {
      loaded = undefined;
    },
    folds: {
      PeerAdded({ at, data: { peer, front } }) {
        insertAgent.run(front, peer.name, peer.name, null, null, 1, 0, at, at);
        put(peer, front);
      },
      PeerChanged({ data: { peer } }) {
        const front = known().fronts.get(peer.name);
        if (front !== undefined) put(peer, front);
      },
      PeerRemoved({ at, data: { name } }) {
        removePeer.run(name);
        leave.run(at, name);
        loaded = undefined;
      },
      PeerAgentMet({ at, data }) {
        const { agent, peer, name, team = null, remote = null, isPerson } = data;
        insertAgent.run(agent, peer, name, team, remote, 0, isPerson === true ? 1 : 0, at, at);
        loaded = undefined;
      },
      PeerAgentChanged({ at, data }) {
        const { agent, name = null, team = null, remote = null, status, evidence = "" } = data;
        changeAgent.run(name, team, remote, agent);
        if (status !== undefined) setStatus.run(status, evidence, at, agent);
        loaded = undefined;
      },
    },
    all: () => [...known().peers.values()],
    byName: (name) => known().peers.get(name),
    isEmpty: () => known().agents.size === 0,
    agent: (id) => known().agents.get(id),
    asAgent(id) {
      const agent = known().agents.get(id);
      return agent && agentOfPeer(agent, addressOf(agent), known().peers.get(agent.peer));
    },
    front: (peer) => known().agents.get(known().fronts.get(peer) ?? ""),
    byRemote: (peer, remote) => known().byRemote.get(remoteKey(peer, remote)),
    named: (peer, name, team) =>
      present(peer).filter(
        (one) => !one.isFront && one.name === name && (team === undefined || one.team === team),
      ),
    agentsOf: present,
  };
}

function remoteKey(peer: PeerName, remote: AgentId): string {
  return `${peer} ${remote}`;
}

function toPeer({ hub_id: hubId, public_key: publicKey, key_seen, front: _front, ...peer }: PeerRow): Peer {
  return { ...peer, hubId, publicKey, ...(key_seen === null ? {} : { keySeenAt: key_seen }) };
}

function toPeerAgent({ is_front, is_person, met_at: metAt, gone_at: goneAt, ...row }: AgentRow): PeerAgent {
  return { ...row, isFront: is_front === 1, isPerson: is_person === 1, metAt, goneAt };
}

/** It is no orchestrator and no person here, whatever it is there: what it says grants nothing. */
export function agentOfPeer(agent: PeerAgent, name: string, peer: Peer | undefined): Agent {
  return {
    ...standing(agent.id, name, agent.evidence),
    role: "agent",
    hub: agent.peer,
    label: agent.isFront ? (peer?.label ?? null) : null,
    team: agent.team ?? DEFAULT_TEAM,
    depth: 0,
    status: agent.status,
    statusSince: agent.since,
    registeredAt: agent.metAt,
    lastActive: agent.since,
    goneAt: agent.goneAt,
  };
}
