import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ensureIdentity, type Identity } from "../../src/link/identity.js";
import type { LinkSecrets } from "../../src/link/link.js";
import { type LinkOptions, type RunningLink, startLink } from "../../src/link/start-link.js";
import { systemClock } from "../../src/model/clock.js";
import type { Peer, PeerName } from "../../src/model/peer.js";
import { createScriptedLinkHub, type ScriptedLinkHub } from "./scripted-link-hub.js";
import { tempFolder } from "./temp-folder.js";

export const SECRET = "a-secret-that-both-know";

/** A hub with a real link on loopback, around a scripted hub. */
export type LinkedHub = {
  hub: ScriptedLinkHub;
  link: RunningLink;
  identity: Identity;
  port: number;
  secrets: Map<PeerName, string>;
};

type Options = Partial<Omit<LinkOptions, "hub" | "config">> & {
  common?: string | undefined;
  config?: Partial<LinkOptions["config"]>;
  peers?: readonly Peer[];
  mailPerBatch?: number;
  /** Before it starts. */
  prepare?: (hub: ScriptedLinkHub) => void;
};

export async function startLinkedHub(name: string, options: Options = {}): Promise<LinkedHub> {
  const { common, config, peers = [], mailPerBatch, prepare, ...rest } = options;
  const identity = config?.identity ?? ensureIdentity(join(tempFolder(), "hub.key"));
  const hub = createScriptedLinkHub(name, identity.id, mailPerBatch);
  hub.setPeers(peers);
  prepare?.(hub);
  const own = new Map<PeerName, string>();
  const secrets: LinkSecrets = { common: () => common, of: (peer) => own.get(peer.name) ?? common };
  const link = await startLink({
    hub,
    config: { identity, host: "127.0.0.1", port: 0, ...config },
    secrets,
    async addPeer(peer, secret) {
      own.set(peer.name, secret);
      hub.setPeers([...hub.peers().filter((one) => one.name !== peer.name), peer]);
    },
    clock: systemClock,
    log: { info() {}, warn() {} },
    ...rest,
  });
  onTestFinished(() => link.close());
  return { hub, link, identity, port: link.port() ?? 0, secrets: own };
}

export function peerAt(name: PeerName, port: number, more: Partial<Peer> = {}): Peer {
  return {
    name,
    kind: "hub",
    host: "127.0.0.1",
    port,
    label: null,
    hubId: null,
    publicKey: null,
    secret: null,
    origin: "config",
    ...more,
  };
}

/** Two hubs that know each other by name, address and a common secret, as document 004 configures them. */
export async function startTwoHubs(options: Options = {}): Promise<{ bmo: LinkedHub; r2d2: LinkedHub }> {
  const bmo = await startLinkedHub("bmo", { common: SECRET, ...options });
  const r2d2 = await startLinkedHub("r2d2", { common: SECRET, ...options, peers: [peerAt("bmo", bmo.port)] });
  bmo.hub.setPeers([peerAt("r2d2", r2d2.port)]);
  return { bmo, r2d2 };
}
