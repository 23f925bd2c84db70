import { parseAddress } from "../../model/address.js";
import type { Agent, AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Party } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { agentOfPeer, type PeerAgent } from "../../views/peers.js";
import type { HubContext } from "../context.js";

/** An agent that mail goes to or comes from, and what there is to note of it, since it is met for the first time or has changed. */
export type Met = { agent: Agent; met: readonly NewEvent[] };

/** More of one peer are not remembered: they are kept in memory, and anybody can make up a name. */
const MOST = 5000;

/** As somebody here writes it: by a name, which its hub may know or not. */
export type Named = { name: string; team: string | undefined };

export function meetByName(context: HubContext, peer: Peer, { name, team }: Named): Met {
  const { peers, roster } = context.views;
  const found = peers.named(peer.name, name, team);
  const [only] = found;
  if (only === undefined) return meetNew(context, peer, { name, ...(team === undefined ? {} : { team }) });
  if (found.length > 1) {
    const available = found.flatMap(({ id }) => roster.byId(id)?.name ?? []).sort();
    throw new HubError(
      "NAME_AMBIGUOUS",
      `"${name}@${peer.name}" is the name of several agents: write ${available.slice(0, 5).join(", or ")}`,
      { name: `${name}@${peer.name}`, available },
    );
  }
  return { agent: known(context, only), met: [] };
}

/** As its own hub names it. */
export function meetParty(context: HubContext, peer: Peer, { id, name, team, isPerson }: Party): Met {
  // It stands in what models read.
  if (parseAddress(`${team}/${name}`) === undefined)
    throw new HubError("NAME_INVALID", "The name or the team of its sender is not one");
  const { peers } = context.views;
  // One that was written to before it wrote is known by its name alone.
  const found =
    peers.byRemote(peer.name, id) ??
    peers.named(peer.name, name, undefined).find((one) => one.remote === null && (one.team ?? team) === team);
  if (found === undefined)
    return meetNew(context, peer, { name, team, remote: id, ...(isPerson === true ? { isPerson } : {}) });
  if (found.remote === id && found.name === name && found.team === team)
    return { agent: known(context, found), met: [] };
  const changed = { ...found, name, team, remote: id };
  const event = newEvent("PeerAgentChanged", found.id, {
    agent: found.id,
    peer: peer.name,
    name,
    team,
    remote: id,
  });
  return { agent: agentOfPeer(changed, `${name}@${peer.name}`, peer), met: [event] };
}

type New = { name: string; team?: string; remote?: AgentId; isPerson?: true };

function meetNew(context: HubContext, peer: Peer, { name, team, remote, isPerson }: New): Met {
  const { views, newId, at } = context;
  if (views.peers.agentsOf(peer.name).length >= MOST) {
    throw new HubError("INBOX_FULL", `${MOST} agents of "${peer.name}" are known here; no more are taken`, {
      cap: MOST,
    });
  }
  const id = newId();
  const agent: PeerAgent = {
    id,
    peer: peer.name,
    name,
    team: team ?? null,
    remote: remote ?? null,
    isFront: false,
    isPerson: isPerson === true,
    status: "idle",
    evidence: "nothing is known of it",
    since: at,
    metAt: at,
    goneAt: null,
  };
  const event = newEvent("PeerAgentMet", id, {
    agent: id,
    peer: peer.name,
    name,
    ...(team === undefined ? {} : { team }),
    ...(remote === undefined ? {} : { remote }),
    ...(isPerson === true ? { isPerson } : {}),
  });
  return { agent: agentOfPeer(agent, `${name}@${peer.name}`, peer), met: [event] };
}

function known({ views }: HubContext, { id }: PeerAgent): Agent {
  const agent = views.roster.byId(id);
  if (agent === undefined) throw new HubError("INTERNAL", `No peer agent has the id ${id}`);
  return agent;
}
