import { randomBytes } from "node:crypto";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { MemberEntry } from "../../contract/link/fabric.js";
import { ensureStreams, type StreamsWanted } from "../../fabric/streams.js";
import { ackSubject, rpcSubject } from "../../fabric/subjects.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { Ack, DirectoryPage, HubId, MemberName } from "../../model/link.js";
import type { Peer, PeerName } from "../../model/peer.js";
import { unreachable } from "../http/call-peer.js";
import { createHttpLink } from "../http/http-link.js";
import type { PeerRoute } from "../http/peer-routes.js";
import type { Identity } from "../identity.js";
import type { KnownHubs } from "../known-hubs.js";
import type { Have, Link, OnHeard, RpcAnswers } from "../link.js";
import type { LinkHub } from "../link-hub.js";
import type { LinkLog } from "../link-log.js";
import type { After } from "../timers.js";
import { countMailbox, type MailboxCount } from "./count-mailbox.js";
import { createFabricCaller } from "./fabric-caller.js";
import {
  type ConnectionState,
  type ConnectionTiming,
  type FabricAccess,
  openFabricConnection,
} from "./fabric-connection.js";
import { createFabricListener } from "./fabric-listener.js";
import { createIgnored } from "./ignored.js";
import { createMailbox } from "./mailbox.js";
import { createMeetHubs } from "./meet-hubs.js";
import { createMembers, type MemberNames } from "./members.js";
import { createOnlyOne } from "./only-one.js";
import { createSealer } from "./seal.js";
import { createSendBatch } from "./send-batch.js";
import { createUntilClosed } from "./until-closed.js";

/** What the fabric is given of the hub's links. */
export type FabricPorts = {
  identity: Identity;
  hub: LinkHub;
  known: KnownHubs;
  routes: ReadonlyMap<string, PeerRoute>;
  run?: string | undefined;
  have?: ((peer: PeerName) => Have) | undefined;
  /** Counts what this hub asks, with what it asks over HTTP. */
  nextNumber: () => number;
  onHeard: OnHeard;
  onLateAck: (peer: Peer, ack: Ack) => void;
  /** The fabric is there, for the first time or again. */
  onConnected: () => void;
  clock: Clock;
  after: After;
  random: () => number;
  log: LinkLog;
};

export type FabricSettings = {
  access: FabricAccess;
  /** Whether this hub makes the streams that all of them use. */
  isSteward: boolean;
  /** What it makes. */
  streams?: StreamsWanted | undefined;
  /** A hub that is not a peer yet says something: makes it one, or not. */
  adopt: (member: MemberEntry) => Promise<void>;
  timing?: Partial<ConnectionTiming & { answerMs: number; ackMs: number; twinMs: number }>;
};

export type Fabric = {
  link: Link;
  state(): FabricState;
  /** Once this hub was connected and has its mailbox, or could not be. */
  tried: Promise<void>;
  /** Whether mail to that hub lies on the server, because it is away. */
  isAway(hub: HubId): boolean;
  /** When that hub last acknowledged something. */
  lastAckOf(hub: HubId): number | undefined;
  /** All hubs of the fabric but this one. Rejects with PEER_UNREACHABLE while nobody can say. */
  members(): Promise<MemberNames>;
  /** Who is on a hub that need not be a peer. Neither becomes one of the other by it. */
  lookUp(member: MemberName, page: DirectoryPage): Promise<RpcAnswers["directory"]>;
  /** Makes it a peer, unless it is one; undefined where no such hub is known, or the fabric is away. */
  meet(hub: HubId): Promise<Peer | undefined>;
  /** Whether that hub is on the fabric, there now or not. */
  knows(hub: HubId): Promise<boolean>;
  /** Batches that wait for this hub; undefined while it is not connected. */
  mailbox(): Promise<MailboxCount | undefined>;
  close(): Promise<void>;
};

/** `twin`: another hub has this one's key and came first. Nothing is read: the two would share out the mail between them. */
type FabricState = ConnectionState | { kind: "twin"; since: number };

/** Should somebody have deleted its entry. */
const ANNOUNCE_MS = 60 * 60_000;
const ANSWER_MS = 5000;
const ACK_MS = 3000;
/** After which a hub that found a twin looks again. */
const TWIN_AGAIN_MS = 30_000;

/** The link over NATS JetStream: a wire that also keeps mail for hubs that are away, and never the truth. */
export function openFabric(ports: FabricPorts, settings: FabricSettings): Fabric {
  const { identity, hub, known, routes, onHeard, clock, after, random, log } = ports;
  const { access, isSteward, adopt, timing = {} } = settings;
  const { answerMs = ANSWER_MS, ackMs = ACK_MS, twinMs = TWIN_AGAIN_MS } = timing;
  const run = ports.run ?? randomBytes(9).toString("base64url");
  const sealer = createSealer(identity);
  const ignored = createIgnored(log);
  const untilClosed = createUntilClosed();
  const members = createMembers({ identity, sealer, self: hub.self, clock, answerMs, ignored });
  let served: NatsConnection | undefined;
  let callOffTwin = () => {};
  let callOffAnnouncing = () => {};
  let streams: Promise<void> | undefined;
  let toldOfStreams: string | undefined;
  let endTrying = () => {};
  const tried = new Promise<void>((resolve) => {
    endTrying = resolve;
  });

  const peerOf = (id: HubId) => hub.peers().find(({ hubId }) => hubId === id);

  function connectionTo(peer: Pick<Peer, "name" | "host" | "port">): NatsConnection {
    const connection = fabric.now();
    if (connection !== undefined && onlyOne.twinSince() === undefined) return connection;
    const state = fabric.state();
    if (state.kind === "away" && state.refused)
      throw new HubError("PEER_REFUSED", `"${peer.name}" is not reached: ${state.problem}`, {
        peer: peer.name,
        status: 401,
        by: "fabric",
      });
    throw unreachable(peer, `is on the fabric, and this hub is not connected to it${why(state)}`);
  }

  function why(state: ConnectionState): string {
    if (onlyOne.twinSince() !== undefined) return ": another hub has its key";
    return state.kind === "away" && state.problem !== null ? `: ${state.problem}` : "";
  }

  const shared = { identity, sealer, members, untilClosed, connectionTo, clock, ignored };
  const sending = createSendBatch({
    ...shared,
    self: hub.self,
    run,
    known,
    onHeard: heard,
    peerOf,
    onLateAck: ports.onLateAck,
    onNoStream: () => void makeStreams(),
    after,
    ackMs,
  });
  const now = () => fabric.now();
  const meeting = createMeetHubs({ hub, members, now, adopt, log });
  const onlyOne = createOnlyOne({ self: identity.id, run, sealer, now, clock, log });
  const caller = createFabricCaller({ ...shared, self: identity.id, answerMs });
  const asking = createHttpLink({
    identity,
    self: hub.self,
    secrets: { common: () => undefined, of: () => undefined },
    known,
    onHeard,
    clock,
    caller,
    run,
    nextNumber: ports.nextNumber,
    ...(ports.have === undefined ? {} : { have: ports.have }),
  });
  // Whoever is only looked up need not be known: the seal says who answers, and no number or run is kept of it.
  const looking = createHttpLink({
    identity,
    self: hub.self,
    secrets: { common: () => undefined, of: () => undefined },
    known,
    onHeard: () => {},
    clock,
    caller,
  });
  const listener = createFabricListener({
    self: identity.id,
    onlyOne,
    sealer,
    routes,
    meet: meeting.meet,
    ignored,
    log,
  });
  const mailbox = createMailbox({
    hub: identity.id,
    isCluster: access.servers.length > 1,
    async handle(subject, payload) {
      const connection = fabric.now();
      return connection === undefined ? "later" : listener.takeBatch(connection, subject, payload);
    },
    onOpen: (connection) => void settle(connection),
    // There may be no streams, or were too few servers to make them.
    onFailed: () => void makeStreams(),
    log,
    after,
  });
  const fabric = openFabricConnection({
    access,
    hub: identity.id,
    clock,
    log,
    after,
    random,
    timing,
    onConnected: tryToBegin,
    onAway: () => endTrying(),
  });

  function heard(...[name, said]: Parameters<OnHeard>) {
    const id = hub.peers().find((peer) => peer.name === name)?.hubId;
    if (id !== null && id !== undefined) caller.heard(id);
    onHeard(name, said);
  }

  async function begin(connection: NatsConnection) {
    callOffTwin();
    sending.doubt();
    serve(connection);
    const serves = await onlyOne.decide(connection);
    if (serves === false) {
      endTrying();
      mailbox.pause();
      callOffTwin = after(twinMs, () => tryToBegin(connection));
    }
    if (serves !== true) return;
    await makeStreams();
    mailbox.read(connection);
  }

  /** What fails is tried again, unless another connection has begun. */
  function tryToBegin(connection: NatsConnection) {
    begin(connection).catch((error: unknown) => {
      log.warn({ error }, "the fabric could not be used");
      if (fabric.now() === connection) callOffTwin = after(twinMs, () => tryToBegin(connection));
    });
  }

  /** The mailbox is open. Whatever was on the server may be gone, this hub's own entry too. */
  async function settle(connection: NatsConnection) {
    sending.doubt();
    await announce(connection);
    await meeting
      .meetOthers(connection)
      .catch((error: unknown) => log.warn({ error }, "the hubs of the fabric could not be listed"));
    ports.onConnected();
    endTrying();
  }

  async function announce(connection: NatsConnection) {
    callOffAnnouncing();
    if (fabric.now() !== connection) return;
    callOffAnnouncing = after(ANNOUNCE_MS, () => void announce(connection));
    await members
      .announce(connection)
      .catch((error: unknown) => log.warn({ error }, "the fabric was not told who this hub is"));
  }

  /** Once for each connection: subscriptions outlive a reconnect. */
  function serve(connection: NatsConnection) {
    if (served === connection) return;
    served = connection;
    hear(connection, ackSubject(identity.id, "*"), async ({ subject, data }) => {
      // What another hub with this key is told is about its own mail.
      if (onlyOne.twinSince() === undefined) sending.takeAck(subject, data);
    });
    hear(connection, rpcSubject(identity.id, "*"), listener.answer);
  }

  /** Nothing may be thrown into the client: it would read nothing more of this connection, and say nothing of that. */
  function hear(connection: NatsConnection, subject: string, take: (message: Msg) => Promise<void>) {
    connection.subscribe(subject, {
      callback(error, message) {
        if (error !== null) return;
        take(message).catch((failure: unknown) =>
          log.warn({ error: failure, subject }, "something from the fabric could not be taken"),
        );
      },
    });
  }

  /** One at a time. Everybody else waits for the steward. */
  function makeStreams(): Promise<void> {
    const connection = fabric.now();
    if (!isSteward || connection === undefined) return Promise.resolve();
    streams ??= ensureStreams(connection, settings.streams)
      .then(() => {
        toldOfStreams = undefined;
      }, noStreams)
      .finally(() => {
        streams = undefined;
      });
    return streams;
  }

  /** Once for each reason: it is tried again and again. */
  function noStreams(error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    if (toldOfStreams !== reason) log.warn({ reason }, "the fabric's streams could not be made");
    toldOfStreams = reason;
  }

  async function knows(id: HubId): Promise<boolean> {
    const connection = fabric.now();
    if (connection === undefined || onlyOne.twinSince() !== undefined) return false;
    return (await members.find(connection, id)) !== undefined;
  }

  async function listMembers(): Promise<MemberNames> {
    const connection = fabric.now();
    if (connection === undefined || onlyOne.twinSince() !== undefined)
      throw new HubError("PEER_UNREACHABLE", `This hub is not connected to its fabric${why(fabric.state())}`);
    try {
      const { members: all, isCut } = await members.names(connection);
      return { members: all.filter(({ id }) => id !== identity.id), isCut };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new HubError(
        "PEER_UNREACHABLE",
        `The fabric does not say which hubs there are (${reason})`,
        {},
        { cause: error },
      );
    }
  }

  return {
    link: {
      send: sending.send,
      ahead: sending.ahead,
      request: asking.request,
      sendPlain: asking.sendPlain,
      async close() {
        untilClosed.close();
      },
    },
    tried,
    isAway: sending.isAway,
    lastAckOf: sending.lastAckOf,
    members: () => untilClosed.run(listMembers),
    lookUp: (member, page) => looking.request(asPeer(member), "directory", { page }),
    meet: meeting.meet,
    knows: (id) => untilClosed.run(() => knows(id)),
    async mailbox() {
      const connection = fabric.now();
      return connection === undefined ? undefined : countMailbox(connection, identity.id);
    },
    state() {
      const since = onlyOne.twinSince();
      return since === undefined ? fabric.state() : { kind: "twin", since };
    },
    async close() {
      untilClosed.close();
      callOffTwin();
      callOffAnnouncing();
      await mailbox.close();
      await fabric.close();
    },
  };
}

/** As much of a peer as it takes to ask it something. */
function asPeer({ id, name }: MemberName): Peer {
  return {
    name,
    kind: "hub",
    host: "",
    port: 0,
    label: null,
    hubId: id,
    publicKey: null,
    secret: null,
    origin: "fabric",
  };
}
