import { lookup } from "node:dns/promises";
import type { HuddlePaths } from "../client/paths.js";
import { systemTimers } from "../delivery/timers.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import type { PeerName } from "../model/peer.js";
import type { TightViews } from "../views/tight.js";
import type { HubConfig } from "./config-schema.js";
import { callbackPeers } from "./limits.js";
import { resolveSecret } from "./secret-store/resolve-secret.js";

type StartCallbacks = {
  config: HubConfig;
  paths: HuddlePaths;
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  onError: (error: unknown) => void;
};

/** A hub that has no peers, and nothing left over from when it had, loads none of it. Answers how to end it. */
export async function startCallbacks(ports: StartCallbacks): Promise<() => Promise<void>> {
  const { config, paths, views } = ports;
  const peers = callbackPeers(config);
  if (peers.length === 0 && views.callbacks.all().length === 0) return async () => {};
  const { createCallbackSender } = await import("../delivery/callbacks/callback-sender.js");
  const sender = createCallbackSender({
    ...ports,
    peers,
    after: systemTimers,
    secretOf: (peer) =>
      resolveSecret(referenceOf(peer, config), { configFolder: paths.config, env: process.env }),
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  });
  sender.begin();
  return sender.end;
}

/** Its own, or the one that all share. */
function referenceOf(name: PeerName, { "agent-comms": comms }: HubConfig): string {
  const peer = comms.peers.find((one) => one.name === name);
  if (peer === undefined) throw new HubError("INTERNAL", `No peer is named "${name}"`);
  return peer.secret ?? comms.secret;
}
