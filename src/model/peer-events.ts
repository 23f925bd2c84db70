import type { AgentId, AgentStatus } from "./agent.js";
import type { LinkReceipt } from "./link.js";
import type { Peer, PeerName } from "./peer.js";

/** One number that was given: to mail (`seq` is the message's, `agent` whom it goes to) or to a receipt (`seq` is that of the event which it tells of). */
export type NumberedFrame =
  | { n: number; seq: number; agent: AgentId }
  | { n: number; seq: number; nth: number };

/** What hubs have to do with each other. The numbers of frames are bookkeeping: `visibility.ts` shows them to nobody. */
export type PeerEvents = {
  /** `front`: the peer agent that stands for whoever receives mail there that names nobody. */
  PeerAdded: { peer: Peer; front: AgentId };
  /** It has another address, label or key. */
  PeerChanged: { peer: Peer };
  PeerRemoved: { name: PeerName };
  /** Somebody of a peer was written to, or wrote, for the first time. `remote`: the id that it has there, once that is known. */
  PeerAgentMet: {
    agent: AgentId;
    peer: PeerName;
    name: string;
    team?: string;
    remote?: AgentId;
    isPerson?: true;
  };
  PeerAgentChanged: {
    agent: AgentId;
    peer: PeerName;
    name?: string;
    team?: string;
    remote?: AgentId;
    status?: AgentStatus;
    evidence?: string;
  };
  /** A new row of numbers to this peer; what waits is numbered anew. `restored`: the peer knew another history than this hub. */
  EpochBegun: { peer: PeerName; epoch: string; reason: "first" | "restored" };
  FramesNumbered: { peer: PeerName; epoch: string; frames: readonly NumberedFrame[] };
  FramesAcknowledged: { peer: PeerName; epoch: string; upTo: number };
  /** `refused`: mail in them that was not taken, and why. */
  FramesReceived: {
    peer: PeerName;
    epoch: string;
    upTo: number;
    digest: string;
    refused?: readonly LinkReceipt[];
  };
  /** Frames that the peer can no longer give: this hub, or the link to that one, was restored from a copy. The person is told. */
  LinkGap: { peer: PeerName; epoch: string; from: number; to: number };
};
