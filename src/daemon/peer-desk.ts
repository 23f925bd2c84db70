import { hostname } from "node:os";
import { join } from "node:path";
import type { HuddlePaths } from "../client/paths.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import { findPeer } from "../hub/rules/find-peer.js";
import type { LinkHub } from "../link/link-hub.js";
import type { FabricPorts } from "../link/nats/fabric.js";
import type { RunningLink } from "../link/start-link.js";
import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import { firstFreeName, toName } from "../model/names.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { PeerDesk, PeerState } from "../model/peer-desk.js";
import type { TightViews } from "../views/tight.js";
import { checkPeerPlace, MACHINE_NAME, NO_SECRET } from "./config-comms.js";
import type { HubConfig } from "./config-schema.js";
import { hubsToAsk } from "./everywhere/hubs-to-ask.js";
import { listEverywhere } from "./everywhere/list-everywhere.js";
import { reachMember } from "./everywhere/reach-member.js";
import type { FabricMember, Membership } from "./fabric-membership.js";
import { knownElsewhere } from "./known-elsewhere.js";
import { listenAddress } from "./lan-address.js";
import { createLinkSecrets } from "./link-secrets.js";
import type { Log } from "./log.js";
import { setSecret } from "./secret-store/keep-secrets.js";
import { resolveSecret } from "./secret-store/resolve-secret.js";
import { within } from "./within.js";

/** Tools answer within ten seconds. */
const CLAIM_MS = 8000;

type PeerDeskPorts = {
  config: HubConfig["agent-comms"];
  paths: HuddlePaths;
  views: TightViews;
  execute: ExecuteCommand;
  clock: Clock;
  log: Log;
  createHub: (self: LinkHub["self"]) => LinkHub;
  membership: Membership;
  version: string;
};

type RunningDesk = PeerDesk & {
  /** What this hub calls itself to others. */
  ownName: string;
  /** The links, started where they do not run yet. */
  running(): Promise<RunningLink>;
  /** As this hub is a member of one, or of none. */
  useFabric(): Promise<void>;
  /** Begins what the configuration and earlier pairings ask for. */
  begin(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Links to other hubs. Nothing of them is loaded, and nothing listens, in a hub that has no peers: the first pairing starts it.
 */
export function createPeerDesk(ports: PeerDeskPorts): RunningDesk {
  const { config, paths, views, execute, clock, log, version } = ports;
  const name = config.name === MACHINE_NAME ? (toName(hostname().split(".")[0] ?? "") ?? "hub") : config.name;
  const host = listenAddress(config.host);
  const common = config.enabled && config.secret !== NO_SECRET ? config.secret : undefined;
  const places = { configFolder: paths.config, env: process.env };
  const secrets = createLinkSecrets(common, places, (error, reference) =>
    log.warn({ err: error }, `the secret ${reference} cannot be read: its peers are not reached`),
  );
  let link: RunningLink | undefined;
  let hubId = "";
  let starting: Promise<RunningLink> | undefined;
  let isClosed = false;
  let problem: string | undefined;

  async function start(): Promise<RunningLink> {
    const [{ ensureIdentity }, { startLink }] = await Promise.all([
      import("../link/identity.js"),
      import("../link/start-link.js"),
    ]);
    const identity = ensureIdentity(join(paths.data, "hub.key"));
    hubId = identity.id;
    await secrets.load(views.peers.all());
    const started = await startLink({
      hub: ports.createHub({ id: identity.id, name, version }),
      config: {
        identity,
        host,
        port: config.port,
        listener: { connections: config.connections },
        bodyBytes: config.body_limit,
        rate: config.rate,
      },
      secrets,
      addPeer: storePaired,
      clock,
      log,
    });
    await useFabric(started);
    if (isClosed) await started.close();
    link = started;
    problem = undefined;
    return started;
  }

  async function useFabric(running: RunningLink): Promise<void> {
    const openFabric = ports.membership.isJoined()
      ? (await import("../link/nats/fabric.js")).openFabric
      : undefined;
    // Last of all: whoever joins or leaves meanwhile comes after this one, and finds what holds then.
    const admission = ports.membership.read();
    if (admission === undefined || openFabric === undefined) return running.useFabric(undefined);
    const { servers, ca, jwt, steward = false, replicas, streams: count } = admission;
    const user = { jwt, seed: ports.membership.seed() };
    await running.useFabric((given: FabricPorts) =>
      openFabric(given, {
        access: { servers, ca, user },
        isSteward: steward,
        streams: { replicas, count },
        adopt: adoptMember,
      }),
    );
  }

  /** The steward let it in: it may write here, as this hub may write to it. */
  async function adoptMember({ hub, key, name: called }: FabricMember): Promise<void> {
    const others = views.peers.all();
    if (others.some((peer) => peer.hubId === hub)) return;
    const own = firstFreeName(toName(called) ?? "hub", (taken) => others.some((peer) => peer.name === taken));
    const place = {
      kind: "hub" as const,
      host: "",
      port: 0,
      label: null,
      secret: null,
      origin: "fabric" as const,
    };
    await execute("addPeer", { peer: { name: own, ...place, hubId: hub, publicKey: key } });
  }

  /** One at a time; one that failed may be tried again. */
  function running(): Promise<RunningLink> {
    if (isClosed) throw new HubError("SHUTTING_DOWN", "The hub is stopping; try again once it is back");
    starting ??= start().catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    return starting;
  }

  /** The secret is kept before the peer is known: nobody meets a peer that cannot be called. */
  async function storePaired(peer: Peer, secret: string): Promise<void> {
    const { reference } = await setSecret(
      { name: `peer-${peer.name}`, value: secret, store: undefined },
      places,
    );
    secrets.keep(reference, secret);
    await execute("addPeer", { peer: { ...peer, secret: reference } });
  }

  /** The file has the last word about whoever stands in it; what was learned of them since stays. */
  async function takeConfigured(): Promise<void> {
    const written = config.enabled ? config.peers : [];
    for (const { name: peer, host: there, port, secret, label } of written) {
      const known = views.peers.byName(peer);
      const isSame = known?.host === there && known.port === port;
      await execute("addPeer", {
        peer: {
          name: peer,
          kind: isSame ? known.kind : "plain",
          host: there,
          port,
          label: label ?? null,
          hubId: isSame ? known.hubId : null,
          publicKey: isSame ? known.publicKey : null,
          ...(isSame && known.keySeenAt !== undefined ? { keySeenAt: known.keySeenAt } : {}),
          secret: secret ?? null,
          origin: "config",
        },
      });
    }
    const names = new Set(written.map((one) => one.name));
    for (const peer of views.peers.all())
      if (peer.origin === "config" && !names.has(peer.name)) await execute("removePeer", { name: peer.name });
  }

  function stateOf(peer: Peer): PeerState {
    const report = link?.reports().find((one) => one.name === peer.name);
    const agents = views.peers.agentsOf(peer.name).filter(({ id }) => views.inbox.depth(id) > 0);
    const waiting = agents.reduce((sum, { id }) => sum + views.inbox.depth(id), 0);
    const first = Math.min(...agents.map(({ id }) => views.inbox.oldest(id) ?? Infinity));
    const oldest = Number.isFinite(first) ? views.messages.bySeq(first)?.at : undefined;
    return {
      ...peer,
      reachable: report?.reachable ?? "unknown",
      reachableSince: report?.reachableSince ?? null,
      distrusted: report?.distrusted ?? null,
      secretState:
        peer.host === ""
          ? "none"
          : secrets.of(peer) === undefined
            ? "missing"
            : (report?.secret ?? "unknown"),
      lastContactAt: report?.lastContactAt ?? null,
      lastError: report?.lastError ?? null,
      clockSkewMs: report?.clockSkewMs ?? null,
      version: report?.version ?? null,
      waiting,
      oldestAt: oldest ?? null,
    };
  }

  const stateNamed = (peer: PeerName) => stateOf(findPeer(views, peer));

  return {
    ownName: name,
    running: async () => running(),
    async useFabric() {
      await useFabric(await running());
    },
    async begin() {
      await takeConfigured();
      if (!config.enabled && views.peers.all().length === 0 && !ports.membership.isJoined()) return;
      // The hub works without links: what waits for peers is kept, and `huddle peers` says what is wrong.
      await running().catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error);
        log.error({ err: error }, "links to other hubs could not be started");
      });
    },
    self: () => (link === undefined ? undefined : { name, hubId, host, port: link.port() ?? null }),
    problem: () => problem,
    list: () => views.peers.all().map(stateOf),
    async invite() {
      return (await running()).invite();
    },
    async join(line, wanted) {
      const joined = await (await running()).join(line, wanted === undefined ? {} : { name: wanted });
      return stateNamed(joined.name);
    },
    async add({ name: added, host: there, port, label = null, secret = null }) {
      checkPeerPlace({ host: there, secret: secret ?? undefined });
      const reference = secret ?? common;
      if (reference === undefined) {
        throw new HubError(
          "SECRET_UNUSABLE",
          `"${added}" needs a secret: huddle secret set peer-${added}, then --secret with what that prints`,
        );
      }
      secrets.keep(reference, await resolveSecret(reference, places));
      const peer = { kind: "plain" as const, hubId: null, publicKey: null, origin: "added" as const };
      await execute("addPeer", { peer: { ...peer, name: added, host: there, port, label, secret } });
      await (await running()).ping(added);
      return stateNamed(added);
    },
    async remove(peer) {
      if (findPeer(views, peer).origin === "config") {
        throw new HubError(
          "INVALID_INPUT",
          `"${peer}" stands in ${paths.configFile}: remove it from agent-comms.peers there, and restart the hub`,
        );
      }
      await execute("removePeer", { name: peer });
    },
    async ping(peer) {
      findPeer(views, peer);
      await (await running()).ping(peer);
      return stateNamed(peer);
    },
    async agents(peer) {
      findPeer(views, peer);
      return (await running()).directory(peer);
    },
    elsewhere() {
      link?.look();
      return knownElsewhere({
        views,
        reachable: ({ name: peer }) => link?.reports().find((one) => one.name === peer)?.reachable ?? "no",
        directory: (peer) => link?.knownDirectory(peer),
        isWatched: (peer) => link?.isWatched(peer) ?? true,
      });
    },
    async everywhere({ reader, limit, cursor }) {
      const { hubs, problems } = await hubsToAsk({ views, link, ownName: name, reader });
      const page = await listEverywhere(hubs, { limit, cursor }, clock);
      return { ...page, problems: [...problems, ...page.problems] };
    },
    reach: (address) =>
      reachMember(address, { fabric: link?.fabric(), ownName: name, peers: views.peers.all() }),
    async claim(peer, claim) {
      const late = () =>
        new HubError("PEER_UNREACHABLE", `it did not answer within ${CLAIM_MS / 1000} s`, { peer });
      return within(
        CLAIM_MS,
        running().then((links) => links.claim(peer, claim)),
        late,
      );
    },
    async close() {
      isClosed = true;
      await starting?.catch(() => {});
      await link?.close();
    },
  };
}
