import { lookup } from "node:dns/promises";
import type { HuddlePaths } from "../client/paths.js";
import { systemTimers } from "../delivery/timers.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import type { Peer } from "../model/peer.js";
import type { TightViews } from "../views/tight.js";
import { NO_SECRET } from "./config-comms.js";
import type { HubConfig } from "./config-schema.js";
import { resolveSecret } from "./secret-store/resolve-secret.js";

type StartCallbacks = {
  config: HubConfig;
  paths: HuddlePaths;
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  onError: (error: unknown) => void;
};

/** A hub that has no peers, and nothing left over from when it had, loads none of it until it gets one. Answers how to end it. */
export async function startCallbacks(ports: StartCallbacks): Promise<() => Promise<void>> {
  const { views, onCommitted, onError } = ports;
  if (!views.peers.isEmpty() || views.callbacks.all().length > 0) return startSender(ports);
  let end = async () => {};
  const unlisten = onCommitted((events) => {
    if (!events.some(({ type }) => type === "PeerAdded")) return;
    unlisten();
    const starting = startSender(ports);
    end = async () => (await starting)();
    starting.catch(onError);
  });
  return async () => {
    unlisten();
    await end();
  };
}

async function startSender(ports: StartCallbacks): Promise<() => Promise<void>> {
  const { config, paths } = ports;
  const { createCallbackSender } = await import("../delivery/callbacks/callback-sender.js");
  const sender = createCallbackSender({
    ...ports,
    after: systemTimers,
    secretOf: async (peer) =>
      resolveSecret(referenceOf(peer, config), { configFolder: paths.config, env: process.env }),
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  });
  sender.begin();
  return sender.end;
}

/** Its own, or the one that all share. */
function referenceOf({ name, secret }: Peer, { "agent-comms": comms }: HubConfig): string {
  const reference = secret ?? comms.secret;
  if (reference === NO_SECRET) throw new HubError("SECRET_UNUSABLE", `"${name}" has no secret to sign with`);
  return reference;
}
