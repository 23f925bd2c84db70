import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { PeerName } from "../../model/peer.js";
import type { HubDecider } from "../context.js";
import { findPeer } from "../rules/find-peer.js";

type RecordPeerStatus = {
  peer: PeerName;
  /** The id or the name that it has there; the peer itself where nobody is named. */
  agent?: string | undefined;
  status: "idle" | "busy" | "offline";
};

/** What a peer tells of one of its agents. Of one that nobody here has to do with nothing is kept. */
export const recordPeerStatus: HubDecider<RecordPeerStatus, void> = (input, { views }) => {
  const { name } = findPeer(views, input.peer);
  const agent =
    input.agent === undefined
      ? views.peers.front(name)
      : (views.peers.byRemote(name, input.agent) ?? views.peers.named(name, input.agent, undefined)[0]);
  if (agent === undefined || agent.status === input.status) return decided([], undefined);
  const told = { agent: agent.id, peer: name, status: input.status, evidence: `${name} says so` };
  return decided([newEvent("PeerAgentChanged", agent.id, told)], undefined);
};
