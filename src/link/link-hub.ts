import type { Ack, Batch, DirectoryEntry, HubId, LinkMail } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { ClaimThere, PeerClaim } from "../model/request.js";

/** All that links know of the hub. */
export type LinkHub = {
  self: { id: HubId; name: string; version: string };
  peers(): readonly Peer[];
  onPeersChanged(listener: () => void): () => void;
  /** A peer that was written down by its address turned out to be a hub. Its key is taken on trust, and counts from then on. */
  learnHub(peer: PeerName, hub: { hubId: HubId; publicKey: string }): Promise<void>;
  /** Something may wait for this peer. */
  onWork(listener: (peer: PeerName) => void): () => void;
  /** What goes to it next: all that it has not acknowledged, as far as a batch holds it. `after`: what comes behind that number, which is under way. */
  numberFrames(peer: PeerName, after?: number): Promise<Batch | undefined>;
  acknowledgeFrames(peer: PeerName, ack: Ack): Promise<void>;
  /** The peer will not take this mail, however often it is sent: its number is filled by nothing. */
  frameRefused(peer: PeerName, frame: { epoch: string; n: number; reason: string }): Promise<void>;
  receiveFrames(peer: PeerName, batch: Batch): Promise<Ack>;
  receiveFromPeer(peer: PeerName, mail: LinkMail): Promise<{ isBusy: boolean }>;
  /** Up to where it has our frames, as far as it acknowledged them, and we have its own. */
  sent(peer: PeerName): { epoch: string; acked: number } | undefined;
  received(peer: PeerName): { epoch: string; upTo: number } | undefined;
  /** Mail for a plain peer: what waits, oldest first; then what became of it. */
  nextPlain(peer: PeerName): Promise<(LinkMail & { seq: number }) | undefined>;
  plainTaken(peer: PeerName, seq: number): Promise<void>;
  plainRefused(peer: PeerName, seq: number, reason: string): Promise<void>;
  /** The agents of this hub that a peer may know of. */
  directory(): readonly DirectoryEntry[];
  /** Somebody came, went or changed, perhaps only in what peers are not told. */
  onDirectoryChanged(listener: () => void): () => void;
  /** An agent of the peer claims a request of this hub. */
  claimForPeer(peer: PeerName, claim: ClaimThere): Promise<PeerClaim>;
  status(agent: string | undefined): { name: string; status: "idle" | "busy" | "offline" };
};
