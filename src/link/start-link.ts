import { randomBytes } from "node:crypto";
import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import type { DirectoryEntry, DirectoryPage } from "../model/link.js";
import type { Peer, PeerName } from "../model/peer.js";
import type { PeerClaim } from "../model/request.js";
import { createDirectories } from "./directories.js";
import { createEitherLink } from "./either-link.js";
import { createGreetings } from "./greetings.js";
import { type CallLimits, createCallPeer } from "./http/call-peer.js";
import { createHttpLink } from "./http/http-link.js";
import type { Interfaces } from "./http/local-address.js";
import { createPeerListener, type ListenerLimits } from "./http/peer-listener.js";
import { createPeerRoutes } from "./http/peer-routes.js";
import { createPeerSecrets } from "./http/peer-secrets.js";
import { createIdentifyPeer } from "./identify-peer.js";
import type { Identity } from "./identity.js";
import { createKnownHubs } from "./known-hubs.js";
import type { Heard, LinkSecrets, RpcAnswers, RpcWords } from "./link.js";
import type { LinkHub } from "./link-hub.js";
import type { LinkLog } from "./link-log.js";
import { createListening } from "./listening.js";
import type { Fabric, FabricPorts } from "./nats/fabric.js";
import { createOutbox } from "./outbox.js";
import { createPairing, type Pairing } from "./pairing/pairing.js";
import { createPeerRate } from "./peer-rate.js";
import { createPeerReports, type PeerReport } from "./peer-reports.js";
import { createPeerRuns } from "./peer-runs.js";
import { createRpcGuard } from "./rpc-proof.js";
import { createTellDirectory } from "./tell-directory.js";
import { type After, systemTimers } from "./timers.js";

type LinkConfig = {
  identity: Identity;
  /** Where peers call. Nothing listens there while no secret is known. */
  host: string;
  port: number;
  /** How long peers have to answer. */
  calls?: CallLimits;
  /** Most messages of one peer in a minute; 0 or none: any number. */
  rate?: number;
  /** Of one request of a peer that brings mail. */
  bodyBytes?: number;
  listener?: Partial<ListenerLimits>;
};

const BODY_BYTES = 1024 * 1024;
/** Mail of one moment goes together. */
const SOON_MS = 250;

export type LinkOptions = {
  hub: LinkHub;
  config: LinkConfig;
  secrets: LinkSecrets;
  /** Stores a peer that was paired and the secret shared with it, and tells of it by `onPeersChanged`. */
  addPeer: (peer: Peer, secret: string) => Promise<void>;
  clock: Clock;
  log: LinkLog;
  after?: After;
  random?: () => number;
  interfaces?: Interfaces;
};

export type RunningLink = Pairing & {
  /** Where peers call; undefined while nothing listens. */
  port(): number | undefined;
  reports(): readonly PeerReport[];
  /** Asks it now. What is known of it then, whether it answered or not. */
  ping(peer: PeerName): Promise<PeerReport>;
  directory(peer: PeerName): Promise<readonly DirectoryEntry[]>;
  /** A part of it. The other side does not tell of changes for that. */
  directoryPage(peer: Peer, page: DirectoryPage): Promise<RpcAnswers["directory"]>;
  /** The same as it was told last; undefined while it told nothing, or is not watched. */
  knownDirectory(peer: PeerName): readonly DirectoryEntry[] | undefined;
  /** Whether it is told of changes there: of at most 50 hubs that only the fabric reaches. */
  isWatched(peer: PeerName): boolean;
  /** Somebody looks at who is there: peers not heard of for a while are asked, in the background. */
  look(): void;
  /** An agent of this hub claims a request of the peer. Rejects if the peer cannot be asked. */
  claim(peer: PeerName, claim: RpcWords["claim"]): Promise<PeerClaim>;
  /** Goes over the fabric too from now on, or no more. */
  useFabric(open: ((ports: FabricPorts) => Fabric) | undefined): Promise<void>;
  fabric(): Fabric | undefined;
  /** Ends all of it at once: what is under way to peers is cut, and comes again after the next start. */
  close(): Promise<void>;
};

/** Everything between this hub and others: what goes out, what comes in, and how two are paired. */
export async function startLink(options: LinkOptions): Promise<RunningLink> {
  const { hub, config, secrets, addPeer, clock, log, interfaces } = options;
  const { identity } = config;
  const after = options.after ?? systemTimers;
  const run = randomBytes(9).toString("base64url");
  let asked = 0;
  const nextNumber = () => ++asked;
  const known = createKnownHubs(identity.id);
  const runs = createPeerRuns();
  const guard = createRpcGuard({ id: identity.id, run });
  const rate = createPeerRate(clock, config.rate ?? 0);
  const reports = createPeerReports(clock, log);
  const peerSecrets = createPeerSecrets(hub, secrets);
  const caller = createCallPeer(config.calls);
  let fabric: Fabric | undefined;
  let changing: Promise<void> = Promise.resolve();
  let isClosed = false;
  const http = createHttpLink({
    identity,
    self: hub.self,
    secrets,
    known,
    onHeard,
    clock,
    run,
    nextNumber,
    have: (peer) => greetings.have(peer),
    ...(config.calls === undefined ? {} : { limits: config.calls }),
  });
  const link = createEitherLink(http, () => fabric, clock);
  const greetings = createGreetings(hub, () => link, reports.failed);
  const pairing = createPairing({
    hub,
    identity,
    caller,
    addPeer,
    clock,
    after,
    listener: { host: config.host, settle: () => listening.settle() },
    interfaces,
  });
  const telling = createTellDirectory({ hub, link, reports, after, run });
  const random = options.random ?? Math.random;
  const directories = createDirectories({ hub, link, reports, clock, after, random });
  const routes = createPeerRoutes({
    hub,
    identity,
    known,
    clock,
    rate,
    runs,
    run,
    guard,
    greetings,
    bodyBytes: config.bodyBytes ?? BODY_BYTES,
    onCalled,
    onDistrusted: reports.distrusted,
    pair: pairing.accept,
    directory: { ...telling, take: directories.take, used: directories.used },
  });
  const listening = createListening({
    host: config.host,
    port: config.port,
    create: () =>
      createPeerListener({
        routes,
        secrets: peerSecrets,
        hasInvitation: pairing.isUnderWay,
        clock,
        log,
        limits: config.listener,
        interfaces,
      }),
    isWanted: () => peerSecrets.hasAny() || pairing.isUnderWay(),
  });
  const identify = createIdentifyPeer(hub, link);
  const outbox = createOutbox({
    hub: { ...hub, onWork: (listener) => hub.onWork((name) => begun(name, listener)) },
    link,
    identify,
    reports,
    clock,
    after,
    random,
  });

  /** What is for a hub that is away goes to the fabric soon, not when that hub is tried again: this machine may sleep by then. */
  function begun(name: PeerName, listener: (peer: PeerName) => void) {
    directories.used(name);
    listener(name);
    const id = hub.peers().find((peer) => peer.name === name)?.hubId;
    if (id !== null && id !== undefined && fabric?.isAway(id) === true)
      after(SOON_MS, () => outbox.hurry(name));
  }

  /** Once, beside everything else: one that does not answer is asked again when something waits for it, or when it calls. */
  function meet(name: PeerName) {
    const peer = hub.peers().find((one) => one.name === name);
    if (peer === undefined) return;
    const asked = peer.kind === "plain" ? identify(peer) : greetings.greet(peer);
    asked.catch((error: unknown) => reports.failed(name, error));
  }

  function onHeard(name: PeerName, heard: Heard) {
    reports.heard(name, heard);
    telling.heard(name);
    const peer = hub.peers().find((one) => one.name === name);
    if (peer?.kind === "hub") meet(name);
  }

  function onCalled(peer: PeerName) {
    directories.called(peer);
    reports.called(peer);
    telling.heard(peer);
    outbox.hurry(peer);
    meet(peer);
  }

  function onFabric() {
    for (const { name, kind } of hub.peers()) {
      if (kind !== "hub") continue;
      directories.called(name);
      outbox.hurry(name);
      if (directories.isWatched(name)) meet(name);
    }
  }

  /** One after the other: two that join at once would leave a fabric open that nobody closes. */
  function useFabric(open: ((ports: FabricPorts) => Fabric) | undefined): Promise<void> {
    const used = changing.then(() => changeFabric(open));
    changing = used.catch(() => {});
    return used;
  }

  async function changeFabric(open: ((ports: FabricPorts) => Fabric) | undefined) {
    await fabric?.close();
    if (isClosed) return;
    fabric = open?.({
      identity,
      hub,
      known,
      routes,
      run,
      nextNumber,
      have: greetings.have,
      onHeard,
      onLateAck: (peer, ack) => {
        hub.acknowledgeFrames(peer.name, ack).then(
          () => onCalled(peer.name),
          (error: unknown) => reports.failed(peer.name, error),
        );
      },
      onConnected: onFabric,
      clock,
      after,
      random,
      log,
    });
  }

  const unsubscribe = hub.onPeersChanged(() => {
    for (const kept of [known, runs, guard, rate, greetings, reports]) kept.keepOnly(hub.peers());
    directories.settle();
    listening
      .settle()
      .catch((error: unknown) => log.warn({ error }, "the peer listener could not be opened"));
  });

  async function close() {
    isClosed = true;
    unsubscribe();
    telling.close();
    directories.close();
    caller.close();
    pairing.close();
    await Promise.all([listening.close(), outbox.close(), changing.then(() => fabric?.close())]);
  }

  // The others are met when they call, or when something goes to them.
  for (const { name } of hub.peers()) if (directories.isWatched(name)) meet(name);
  try {
    await listening.settle();
  } catch (error) {
    await close();
    throw error;
  }
  directories.settle();

  function findPeer(name: PeerName): Peer {
    const peer = hub.peers().find((one) => one.name === name);
    if (peer !== undefined) return peer;
    const available = hub.peers().map((one) => one.name);
    throw new HubError("HUB_NOT_FOUND", `No peer is named "${name}"`, { hub: name, available });
  }

  return {
    invite: pairing.invite,
    join: pairing.join,
    port: listening.port,
    reports: () => hub.peers().map(({ name }) => reports.of(name)),
    async ping(name) {
      const peer = findPeer(name);
      try {
        await link.request(peer, peer.kind === "hub" ? "ping" : "status");
      } catch (error) {
        reports.failed(name, error);
      }
      return reports.of(name);
    },
    knownDirectory: directories.of,
    isWatched: directories.isWatched,
    look: directories.look,
    async claim(name, claim) {
      const peer = findPeer(name);
      try {
        const { claimed, status, by, passed } = await link.request(peer, "claim", claim);
        return {
          claimed,
          status,
          ...(by === undefined ? {} : { by }),
          ...(passed === undefined ? {} : { passed }),
        };
      } catch (error) {
        reports.failed(name, error);
        throw error;
      }
    },
    async directory(name) {
      return (await link.request(findPeer(name), "directory")).agents;
    },
    async directoryPage(peer, page) {
      try {
        return await link.request(peer, "directory", { page });
      } catch (error) {
        reports.failed(peer.name, error);
        throw error;
      }
    },
    useFabric,
    fabric: () => fabric,
    close,
  };
}
