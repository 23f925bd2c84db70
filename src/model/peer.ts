import type { HubId } from "./link.js";

/** What this hub calls another one: a name like an agent's. */
export type PeerName = string;

/** `hub`: it speaks our link. `plain`: a daemon of document 004, which knows nothing but text in and text out. */
type PeerKind = "plain" | "hub";

/** Another hub, as this one knows it. Its secret is never here: `secret` only says where it is kept. */
export type Peer = {
  name: PeerName;
  kind: PeerKind;
  /** Empty, and the port 0, where it has no address: only the fabric reaches it. */
  host: string;
  port: number;
  /** How models and people read it: `R2`. */
  label: string | null;
  hubId: HubId | null;
  /** Ed25519, SPKI in base64. */
  publicKey: string | null;
  /** When its key was taken on trust, as the first one that it showed; absent where pairing proved the key. Wall time. */
  keySeenAt?: number;
  secret: string | null;
  /** `config`: written down in huddle.yaml, where it is removed too. `fabric`: a hub of the same fabric. */
  origin: "config" | "paired" | "added" | "fabric";
};
