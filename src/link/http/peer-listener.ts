import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { readBody } from "../../decoding/read-body.js";
import { parseStrictJson } from "../../decoding/strict-json.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { LinkLog } from "../link-log.js";
import { type Interfaces, plainAddress } from "./local-address.js";
import { createOpenSockets } from "./open-sockets.js";
import type { PeerRoute } from "./peer-routes.js";
import type { PeerSecrets, Shown } from "./peer-secrets.js";
import { refuseForeign } from "./refuse-foreign.js";
import { refusalBody, statusOf, writeAnswer, writeRefusal } from "./write-answer.js";
import { createWrongTries } from "./wrong-tries.js";

export type ListenerLimits = {
  connections: number;
  perAddress: number;
  /** In which a request must have come in, body and all. */
  requestMs: number;
  /** Requests that the hub works on at once. */
  atOnce: number;
  /** Wrong secrets of one address in a minute that are answered in full. */
  wrongTries: number;
  /** How long a stop waits for the answers that the hub is at work on. */
  lastAnswersMs: number;
};

const LISTENER_LIMITS: ListenerLimits = {
  connections: 256,
  perAddress: 32,
  requestMs: 10_000,
  atOnce: 64,
  wrongTries: 20,
  lastAnswersMs: 2000,
};

type ListenerOptions = {
  routes: ReadonlyMap<string, PeerRoute>;
  secrets: PeerSecrets;
  /** Whether an invitation is open, which has a secret of its own. */
  hasInvitation: () => boolean;
  clock: Clock;
  log: LinkLog;
  limits?: Partial<ListenerLimits> | undefined;
  interfaces?: Interfaces | undefined;
};

/** Where peers call: a port of its own, which serves `/agent/*` and nothing else of the hub. */
export type PeerListener = {
  /** Resolves to the port that it got. */
  listen(host: string, port: number): Promise<number>;
  /** Ends at once: who has not finished asking is cut; what the hub is at work on is answered, for a moment. */
  close(): Promise<void>;
};

export const JSON_LIMITS = { depth: 32, keys: 20_000 };
const HEADER_BYTES = 8192;

export function createPeerListener(options: ListenerOptions): PeerListener {
  const { routes, secrets, hasInvitation, clock, log, interfaces } = options;
  const limits = { ...LISTENER_LIMITS, ...options.limits };
  const sockets = createOpenSockets(limits.perAddress);
  const wrongTries = createWrongTries(clock, limits.wrongTries);
  let isClosed = false;

  const server = createServer({
    requestTimeout: limits.requestMs,
    headersTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(500, limits.requestMs),
    keepAliveTimeout: 65_000,
    maxHeaderSize: HEADER_BYTES,
  });
  server.maxConnections = limits.connections;
  server.on("connection", sockets.add);
  server.on("request", (incoming, outgoing) => void serve(incoming, outgoing));
  server.on("checkContinue", (incoming, outgoing) => void serve(incoming, outgoing));
  server.on("clientError", refuseClient);

  /** It answers whatever happens, and never throws. */
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      await answer(incoming, outgoing);
    } catch (error) {
      const known = error instanceof HubError ? error : hidden(error, incoming);
      writeRefusal(outgoing, known, isClosed || !incoming.complete);
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (isClosed) throw stopping();
    refuseForeign(incoming, interfaces);
    const { route, query } = findRoute(incoming);
    const address = plainAddress(incoming.socket.remoteAddress);
    const shown = authenticate(incoming, route, address);
    if (sockets.working() >= limits.atOnce) {
      throw new HubError("RATE_LIMITED", "Too many requests at once", { retry_after_ms: 1000 });
    }
    const body = route.bytes === 0 ? undefined : await readJson(incoming, outgoing, route);
    // It may have begun to stop while the body came in.
    if (isClosed) throw stopping();
    const done = sockets.work(incoming.socket);
    outgoing.once("close", done);
    try {
      writeAnswer(outgoing, await route.answer({ shown, query, body, address }));
    } catch (error) {
      throw isGuess(error, route) ? wrongTries.add(address, error) : error;
    }
  }

  function findRoute({ url = "", method = "" }: IncomingMessage): {
    route: PeerRoute;
    query: URLSearchParams;
  } {
    const [path = "", query = ""] = url.split("?", 2);
    const route = routes.get(path);
    if (route === undefined) {
      throw new HubError("ROUTE_NOT_FOUND", `There is only ${[...routes.keys()].join(", ")} here`);
    }
    if (route.method !== method) {
      throw new HubError("METHOD_NOT_ALLOWED", `Use ${route.method} here`, { allow: [route.method] });
    }
    return { route, query: new URLSearchParams(query) };
  }

  function authenticate(incoming: IncomingMessage, route: PeerRoute, address: string): Shown | undefined {
    const { authorization } = incoming.headers;
    if (route.isOpen && authorization === undefined) return undefined;
    try {
      return secrets.check(authorization);
    } catch (error) {
      throw error instanceof HubError ? wrongTries.add(address, error) : error;
    }
  }

  async function readJson(incoming: IncomingMessage, outgoing: ServerResponse, route: PeerRoute) {
    if (!/^application\/json *(;|$)/i.test(incoming.headers["content-type"] ?? "")) {
      throw new HubError(
        "UNSUPPORTED_MEDIA_TYPE",
        "Send JSON with the header Content-Type: application/json",
      );
    }
    if (incoming.headers.expect !== undefined) outgoing.writeContinue();
    return parseStrictJson(await readBody(incoming, route.bytes), JSON_LIMITS);
  }

  function hidden(error: unknown, { method, url }: IncomingMessage): HubError {
    log.warn({ error, request: `${method} ${url?.slice(0, 100)}` }, "a request of a peer failed");
    return new HubError("INTERNAL", "The hub failed on this request; its log has the reason");
  }

  /** Bytes that are no request, or one that did not come in time. */
  function refuseClient(error: NodeJS.ErrnoException, socket: Duplex): void {
    // A refusal here would be taken for the answer to the request before, which may be stored.
    if (!socket.writable || sockets.isWorking(socket) || isClosed) {
      socket.destroy();
      return;
    }
    const refusal =
      error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? new HubError("REQUEST_TIMEOUT", `The request did not arrive within ${limits.requestMs / 1000} s`)
        : new HubError("INVALID_INPUT", "This is not an HTTP request that can be read");
    const body = JSON.stringify(refusalBody(refusal));
    socket.end(
      `HTTP/1.1 ${statusOf(refusal)} Refused\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  }

  return {
    async listen(host, port) {
      if (!secrets.hasAny() && !hasInvitation()) {
        throw new HubError(
          "CONFIG_INVALID",
          "agent-comms has no secret, and without one the peer listener is not opened. Set one: huddle secret set NAME, then agent-comms.secret: keychain:NAME",
        );
      }
      await new Promise<void>((resolve, reject) => {
        server.on("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
        server.listen(port, host, resolve);
      });
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : port;
    },
    close() {
      isClosed = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        sockets.close(limits.lastAnswersMs);
      });
    },
  };
}

/** A wrong pairing counts as a wrong secret. */
function isGuess(error: unknown, route: PeerRoute): error is HubError {
  return (
    route.isOpen === true &&
    error instanceof HubError &&
    ["INVITE_INVALID", "UNAUTHENTICATED"].includes(error.code)
  );
}

function stopping(): HubError {
  return new HubError("SHUTTING_DOWN", "The hub is stopping; send again once it is back");
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== "EADDRINUSE" && error.code !== "EACCES" && error.code !== "EADDRNOTAVAIL") return error;
  const why = {
    EADDRINUSE: "is taken by another program",
    EACCES: "may not be used by you",
    EADDRNOTAVAIL: "cannot be used: this machine does not have that address",
  }[error.code];
  return new HubError(
    "PORT_TAKEN",
    `Port ${port} on ${host} ${why}. Set agent-comms.host and agent-comms.port in huddle.yaml.`,
    { port, host },
    { cause: error },
  );
}
