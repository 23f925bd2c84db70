// Many hubs in one process, as links see them: each with its own key and its own way to the others, over HTTP or over the fabric.
import { setTimeout as sleep } from "node:timers/promises";
import type { StreamsWanted } from "../../../src/fabric/streams.js";
import { ensureIdentity } from "../../../src/link/identity.js";
import { openFabric } from "../../../src/link/nats/fabric.js";
import type { FabricAccess } from "../../../src/link/nats/fabric-connection.js";
import { type RunningLink, startLink } from "../../../src/link/start-link.js";
import { systemClock } from "../../../src/model/clock.js";
import type { Peer } from "../../../src/model/peer.js";
import { createScriptedLinkHub, type ScriptedLinkHub } from "../../fakes/scripted-link-hub.js";
import { leaveMailbox } from "../leave-mailbox.js";

/** Without `fabric` it is called over HTTP. */
export type Endpoint = {
  name: string;
  keyFile: string;
  fabric?: { access: FabricAccess; isSteward: boolean; streams: StreamsWanted };
};
export type OpenedEndpoint = { name: string; id: string; publicKey: string; port: number };
export type Mail = { from: string; to: string; count: number };

export type EndpointsAsk =
  | { do: "open"; endpoints: Endpoint[]; mailPerBatch: number }
  /** Hubs that were there once: their mailboxes stay on the server. */
  | { do: "leave"; endpoints: Endpoint[]; withMail: boolean }
  /** Each of these knows those. */
  | { do: "know"; peers: { name: string; peers: Peer[] }[] }
  | { do: "post"; mail: Mail[] }
  /** Answered once all of it has come, each once and in order. `count`: from the beginning. */
  | { do: "await"; mail: Mail[]; withinMs: number };

const SECRET = "a-secret-of-the-measurement";
const MESSAGE = "x".repeat(200);
const AT_ONCE = 8;
const CONNECT_MS = 60_000;

const hubs = new Map<string, { hub: ScriptedLinkHub; link: RunningLink }>();
const posted = new Map<string, number>();

process.on("message", (ask) => {
  run(ask as EndpointsAsk).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => process.exit());
process.send?.(process.pid);

async function run(ask: EndpointsAsk): Promise<unknown> {
  switch (ask.do) {
    case "open":
      return inTurns(ask.endpoints, (endpoint) => open(endpoint, ask.mailPerBatch));
    case "leave":
      return inTurns(ask.endpoints, ({ name, keyFile, fabric }) => {
        if (fabric === undefined) throw new Error(`${name} has no mailbox`);
        return leaveMailbox({ name, identity: ensureIdentity(keyFile), ...fabric }, ask.withMail);
      });
    case "know":
      for (const { name, peers } of ask.peers) find(name).hub.setPeers(peers);
      return "known";
    case "post":
      for (const mail of ask.mail) post(mail);
      return "posted";
    case "await":
      return awaitMail(ask.mail, ask.withinMs);
  }
}

async function inTurns<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < all.length; i += AT_ONCE)
    results.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map(act))));
  return results;
}

function find(name: string) {
  const found = hubs.get(name);
  if (found === undefined) throw new Error(`${name} is not in this process`);
  return found;
}

async function open({ name, keyFile, fabric }: Endpoint, mailPerBatch: number): Promise<OpenedEndpoint> {
  const identity = ensureIdentity(keyFile);
  const hub = createScriptedLinkHub(name, identity.id, mailPerBatch);
  const secret = fabric === undefined ? SECRET : undefined;
  const link = await startLink({
    hub,
    config: { identity, host: "127.0.0.1", port: 0 },
    secrets: { common: () => secret, of: () => secret },
    addPeer: async () => {},
    clock: systemClock,
    log: { info() {}, warn() {} },
  });
  hubs.set(name, { hub, link });
  if (fabric !== undefined) {
    await link.useFabric((ports) => openFabric(ports, { ...fabric, adopt: async () => {} }));
    await connected(name, link);
  }
  return { name, id: identity.id, publicKey: identity.publicKey, port: link.port() ?? 0 };
}

/** On a busy machine the first try may take too long. */
async function connected(name: string, link: RunningLink): Promise<void> {
  const deadline = performance.now() + CONNECT_MS;
  await link.fabric()?.tried;
  for (;;) {
    const state = link.fabric()?.state();
    if (state?.kind === "connected") return;
    if (performance.now() > deadline)
      throw new Error(`${name} is not on the fabric: ${JSON.stringify(state)}`);
    await sleep(50);
  }
}

function post({ from, to, count }: Mail) {
  const pair = `${from} ${to}`;
  const before = posted.get(pair) ?? 0;
  posted.set(pair, before + count);
  find(from).hub.post(to, ...Array.from({ length: count }, (_, n) => `${before + n} ${MESSAGE}`));
}

async function awaitMail(mail: readonly Mail[], withinMs: number): Promise<string> {
  const deadline = performance.now() + withinMs;
  for (const { from, to, count } of mail) {
    const { hub } = find(to);
    while (hub.got(from).length < count) {
      if (performance.now() > deadline)
        throw new Error(`${to} has ${hub.got(from).length} of ${count} messages of ${from}`);
      await sleep(2);
    }
    hub.got(from).forEach((text, n) => {
      if (n >= count || !text.startsWith(`${n} `))
        throw new Error(`${to} has ${text.split(" ", 1)[0]} of ${from} in the place of ${n} of ${count}`);
    });
  }
  return "there";
}
