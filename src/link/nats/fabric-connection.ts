import {
  AuthorizationError,
  jwtAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  type Status,
  UserAuthenticationExpiredError,
} from "@nats-io/transport-node";
import { connectEncrypted, NOT_ENCRYPTED } from "../../fabric/connect-encrypted.js";
import { inboxPrefix } from "../../fabric/subjects.js";
import type { Clock } from "../../model/clock.js";
import type { HubId } from "../../model/link.js";
import type { LinkLog } from "../link-log.js";
import type { After } from "../timers.js";

/** Where the fabric is, and how this hub is let in. */
export type FabricAccess = {
  servers: readonly string[];
  /** PEM. No other authority's certificate is taken. Without it the connection is not encrypted. */
  ca?: string | undefined;
  /** The user JWT, and the seed of the connection key that it names. That is not the hub's identity: clients sign whatever a server asks. */
  user?: { jwt: string; seed: string } | undefined;
};

/** `refused`: the server answers, and does not let this hub in. */
export type ConnectionState =
  | { kind: "connected"; since: number; server: string }
  | { kind: "away"; since: number; refused: boolean; problem: string | null }
  | { kind: "closed" };

export type FabricConnection = {
  /** Undefined while there is none: nothing is published into the void. */
  now(): NatsConnection | undefined;
  state(): ConnectionState;
  close(): Promise<void>;
};

type ConnectionOptions = {
  access: FabricAccess;
  hub: HubId;
  clock: Clock;
  log: LinkLog;
  after: After;
  random: () => number;
  /** Also after each reconnect: what was on its way then is unknown. */
  onConnected: (connection: NatsConnection) => void;
  onAway: () => void;
  timing?: Partial<ConnectionTiming> | undefined;
};

export type ConnectionTiming = { againMs: number; jitterMs: number; pingMs: number };

const TIMING: ConnectionTiming = { againMs: 500, jitterMs: 5000, pingMs: 20_000 };
const CONNECT_MS = 5000;
const CLOSE_MS = 1000;

/** Keeps one connection to the fabric, for as long as it takes. */
export function openFabricConnection(options: ConnectionOptions): FabricConnection {
  const { access, hub, clock, log, after, random, onConnected } = options;
  const timing = { ...TIMING, ...options.timing };
  let connection: NatsConnection | undefined;
  let state: ConnectionState = { kind: "away", since: clock.wall(), refused: false, problem: null };
  let callOff = () => {};
  let underWay: Promise<void> = Promise.resolve();

  const isClosed = () => state.kind === "closed";

  function away(error: unknown) {
    if (isClosed()) return;
    const { refused, problem } = explain(error, access);
    const before = state.kind === "away" ? state : undefined;
    if (before?.problem !== problem) log.warn({ reason: problem }, "the fabric cannot be reached");
    state = { kind: "away", since: before?.since ?? clock.wall(), refused, problem };
    options.onAway();
  }

  function connected(server: string) {
    if (isClosed() || connection === undefined) return;
    state = { kind: "connected", since: clock.wall(), server };
    log.info({ server }, "connected to the fabric");
    onConnected(connection);
  }

  /** The client's own waiting for a first connection cannot be called off, so it is done here. */
  function begin() {
    underWay = connectOnce().catch((error: unknown) => {
      away(error);
      if (!isClosed()) callOff = after(timing.againMs + timing.jitterMs * random(), begin);
    });
  }

  async function connectOnce() {
    const opened = await connectEncrypted({ ...connectOptions(access, hub, timing), onFailed });
    if (isClosed()) return opened.close();
    connection = opened;
    follow(opened).catch((error: unknown) => log.warn({ error }, "the fabric's connection failed"));
    connected(opened.getServer());
  }

  /** While it is away. One that was given up may say so late. */
  function onFailed(error: unknown) {
    if (connection !== undefined && state.kind === "away") away(error);
  }

  async function follow(opened: NatsConnection) {
    let problem: unknown;
    for await (const status of opened.status()) problem = heed(status, problem);
    // The client gave up, as it does where a server breaks its protocol.
    if (isClosed()) return;
    connection = undefined;
    away(await opened.closed());
    callOff = after(timing.againMs + timing.jitterMs * random(), begin);
  }

  function heed(status: Status, problem: unknown): unknown {
    if (status.type === "reconnect") {
      connected(status.server);
      return undefined;
    }
    if (status.type === "disconnect" || status.type === "staleConnection") away(problem);
    // A refusal of one subject says nothing of the connection.
    if (status.type !== "error" || status.error.name === "PermissionViolationError") return problem;
    if (state.kind === "away") away(status.error);
    return status.error;
  }

  begin();

  return {
    now: () => (state.kind === "connected" ? connection : undefined),
    state: () => state,
    async close() {
      if (isClosed()) return;
      state = { kind: "closed" };
      callOff();
      // In the middle of a try to connect the client waits for its end, which may be long.
      const ended = Promise.all([connection?.close(), underWay]);
      await Promise.race([ended, new Promise<void>((resolve) => after(CLOSE_MS, resolve))]);
    },
  };
}

function connectOptions(
  { servers, ca, user }: FabricAccess,
  hub: HubId,
  { againMs, jitterMs, pingMs }: ConnectionTiming,
): NodeConnectionOptions {
  return {
    servers: [...servers],
    name: `huddle ${hub}`,
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(user === undefined
      ? {}
      : { authenticator: jwtAuthenticator(user.jwt, new TextEncoder().encode(user.seed)) }),
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    // Otherwise a key that is missing for seconds, as while a server restarts, would end the link for good.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: againMs,
    reconnectJitter: jitterMs,
    reconnectJitterTLS: jitterMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    // A question to oneself is then answered by nobody, or by another hub with the same key.
    noEcho: true,
    inboxPrefix: inboxPrefix(hub),
    // Servers may tell addresses that only they themselves can reach.
    ignoreClusterUpdates: true,
  };
}

function explain(error: unknown, { servers }: FabricAccess): { refused: boolean; problem: string } {
  if (error === undefined)
    return { refused: false, problem: `the connection to ${servers.join(", ")} broke; it is tried again` };
  const causes = chain(error);
  if (causes.some((one) => one instanceof UserAuthenticationExpiredError))
    return refusal("this hub's admission has expired. Ask the steward for a new one: huddle fabric request");
  if (causes.some((one) => one instanceof AuthorizationError))
    return refusal(
      "the server does not let this hub in: its admission was revoked, has expired, or is of another fabric. Ask the steward for a new one: huddle fabric request",
    );
  if (causes.some(({ message }) => message === NOT_ENCRYPTED))
    return refusal(
      `whoever answers at ${servers.join(", ")} does not encrypt, as every server of a fabric does; nothing was sent. Find out who that is`,
    );
  const codes = causes.map((one) => ("code" in one ? String(one.code) : "")).filter((code) => code !== "");
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate === "CERT_HAS_EXPIRED")
    return refusal(
      `the certificate of ${servers.join(", ")} has expired. The steward renews it: huddle fabric renew`,
    );
  if (certificate !== undefined)
    return refusal(
      `whoever answers at ${servers.join(", ")} has no certificate of this fabric (${certificate}); nothing was sent. Find out who that is`,
    );
  const reason = codes[0] ?? causes[0]?.message ?? "no reason given";
  return { refused: false, problem: `${servers.join(", ")} cannot be reached (${reason})` };
}

const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|ISSUER|TLS/;

const refusal = (problem: string) => ({ refused: true, problem });

function chain(error: unknown): Error[] {
  return error instanceof Error ? [error, ...chain(error.cause)] : [];
}
