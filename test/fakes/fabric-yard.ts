import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ensureIdentity, type Identity } from "../../src/link/identity.js";
import { type FabricSettings, openFabric } from "../../src/link/nats/fabric.js";
import { type RunningLink, startLink } from "../../src/link/start-link.js";
import { type Clock, systemClock } from "../../src/model/clock.js";
import type { Peer, PeerName } from "../../src/model/peer.js";
import type { NatsServer } from "./nats-server.js";
import { PATIENCE_MS } from "./patience.js";
import { patiently } from "./patiently.js";
import { createScriptedLinkHub, type ScriptedLinkHub } from "./scripted-link-hub.js";
import { tempFolder } from "./temp-folder.js";

/** What fails is tried again soon; who is there has all the time that a busy machine needs. */
export const TIMING = {
  againMs: 50,
  jitterMs: 50,
  ackMs: PATIENCE_MS,
  answerMs: PATIENCE_MS,
  twinMs: 500,
};

/** So that tests of those who are not there do not take long: one that is slow is taken to be away, and what it missed waits for it. */
export const SHORT = { ...TIMING, ackMs: 1000, answerMs: 1000 };

export type FabricHub = {
  hub: ScriptedLinkHub;
  link: RunningLink;
  identity: Identity;
  /** What it says to whoever reads its log. */
  log: string[];
};

type Options = Partial<FabricSettings> & {
  identity?: Identity;
  hub?: ScriptedLinkHub;
  mailPerBatch?: number;
  clock?: Clock;
  /** Without waiting until it is connected. */
  noWait?: true;
  /** Nor until it was tried. */
  noTry?: true;
};

/** A scripted hub with real links over a real server. Who says something to it becomes its peer, under the name it has. */
export async function startFabricHub(
  name: string,
  server: Pick<NatsServer, "url">,
  options: Options = {},
): Promise<FabricHub> {
  const identity = options.identity ?? ensureIdentity(join(tempFolder(), "hub.key"));
  const hub = options.hub ?? createScriptedLinkHub(name, identity.id, options.mailPerBatch);
  const log: string[] = [];
  const link = await startLink({
    hub,
    config: { identity, host: "127.0.0.1", port: 0 },
    secrets: { common: () => undefined, of: () => undefined },
    addPeer: async () => {},
    clock: options.clock ?? systemClock,
    log: { info: () => {}, warn: (_, sentence) => void log.push(sentence) },
  });
  onTestFinished(() => link.close());
  await link.useFabric((ports) =>
    openFabric(ports, {
      access: { servers: [server.url] },
      isSteward: false,
      adopt: async (member) =>
        hub.setPeers([...hub.peers(), memberPeer(member.name, { id: member.hub, publicKey: member.key })]),
      timing: TIMING,
      ...options,
    }),
  );
  if (options.noTry !== true) await link.fabric()?.tried;
  if (options.noWait !== true && options.noTry !== true) await connected(link);
  return { hub, link, identity, log };
}

export function connected(link: RunningLink): Promise<void> {
  return patiently(() => {
    const state = link.fabric()?.state();
    if (state?.kind !== "connected")
      throw new Error(`the hub is not on the fabric: ${JSON.stringify(state)}`);
  });
}

/** A peer that only the fabric reaches. */
export function memberPeer(name: PeerName, { id, publicKey }: Pick<Identity, "id" | "publicKey">): Peer {
  return {
    name,
    kind: "hub",
    host: "",
    port: 0,
    label: null,
    hubId: id,
    publicKey,
    secret: null,
    origin: "fabric",
  };
}
