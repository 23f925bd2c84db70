import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { agentSocketQuery, socketRoutes } from "../../contract/socket/frames.js";
import { decodeQuery } from "../../decoding/decode.js";
import { HubError } from "../../model/errors.js";
import { createGatherer } from "../../model/gather-writes.js";
import { errorAnswer } from "../answers/error-answer.js";
import { type Authenticate, type Caller, checkAccess, memberId } from "../caller/auth.js";
import type { SameSite } from "../caller/same-site.js";
import type { Tickets } from "../caller/tickets.js";
import type { Operations } from "../operations.js";
import type { HubPorts } from "../ports.js";
import { openStream } from "../streams/open-stream.js";
import type { ReaderRegistry } from "../streams/reader-registry.js";
import { endWithToken } from "../streams/token-end.js";
import type { StreamReader, Wire } from "../streams/wire.js";
import { frameBytes, startAgentSocket } from "./agent-socket.js";
import { createFrameWriter } from "./frame-writer.js";
import { bindSocketOps } from "./socket-ops.js";

/** Clients have nothing to say on the socket of a stream. */
const INCOMING_LIMIT = 4096;

const agentSocket = socketRoutes.open;

type SocketPorts = {
  ports: HubPorts;
  registry: ReaderRegistry;
  tickets: Tickets;
  sameSite: SameSite;
  authenticate: Authenticate;
  operations: Operations;
};

/** What was admitted: who, and what reads and feeds the socket once it stands. */
type Admitted = {
  caller: Caller;
  server: WebSocketServer;
  start: (client: WebSocket, socket: Duplex) => StreamReader;
};

/** Handles an HTTP upgrade: who is it, may they, from where; everything is checked before the socket is accepted. */
export function createSocketAcceptor(options: SocketPorts) {
  const { ports, registry, tickets, sameSite, authenticate } = options;
  function serverFor(maxPayload: number): WebSocketServer {
    // Without closeTimeout, which its types do not know yet, it would cut a dropped reader off after 30 s, however long it may linger.
    const closeTimeout = ports.limits.readerLingerMs;
    const settings = { noServer: true, maxPayload, perMessageDeflate: false, closeTimeout };
    return new WebSocketServer(settings);
  }
  const streams = serverFor(INCOMING_LIMIT);
  const agents = serverFor(frameBytes(ports.limits));
  const ops = bindSocketOps(options.operations);

  function admit(request: IncomingMessage): Admitted {
    const foreign = sameSite.check(request.headers);
    if (foreign !== undefined) throw foreign;
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const query = new URLSearchParams(rest.join("?"));
    const ticket = query.get("ticket");
    const caller = ticketHolder(ticket) ?? tokenHolder(request, ticket !== null);
    if (path === agentSocket.path) {
      checkAccess(caller, agentSocket.access);
      decodeQuery(agentSocketQuery, query);
      return {
        caller,
        server: agents,
        start: (client, socket) => openAgentSocket(caller, client, socket),
      };
    }
    const startReader = openStream(ports, caller, path, query);
    return { caller, server: streams, start: (client, socket) => feed(startReader, client, socket) };
  }

  function feed(startReader: ReturnType<typeof openStream>, client: WebSocket, socket: Duplex): StreamReader {
    const gather = createGatherer(socket);
    const reader = startReader({
      ...wireOf(client),
      send(frame) {
        gather();
        client.send(frame, () => reader.drained());
      },
    });
    return reader;
  }

  function openAgentSocket(caller: Caller, client: WebSocket, socket: Duplex): StreamReader {
    const writer = createFrameWriter(socket);
    const { buffered, end } = wireOf(client);
    const own = startAgentSocket(ports, ops, caller, {
      send: writer.send,
      buffered: () => buffered() + writer.waiting(),
      end(reason) {
        writer.flush();
        end(reason);
      },
      pause: () => client.pause(),
      resume: () => client.resume(),
    });
    socket.on("drain", own.drained);
    client.on("message", (data, isBinary) => {
      if (Buffer.isBuffer(data)) own.frame(data, isBinary);
    });
    return own;
  }

  function wireOf(client: WebSocket): Pick<Wire, "buffered" | "end"> {
    return {
      buffered: () => client.bufferedAmount,
      end(reason) {
        client.close(4008, reason.slice(0, 120));
        setTimeout(() => client.terminate(), ports.limits.readerLingerMs).unref();
      },
    };
  }

  /** A ticket is worth no more than the token that it stands for: its agent may have left since. */
  function ticketHolder(ticket: string | null): Caller | undefined {
    const caller = ticket === null ? undefined : tickets.redeem(ticket);
    if (caller?.kind !== "agent") return caller;
    const agent = ports.views.roster.byId(caller.agent.id);
    return agent === undefined || agent.goneAt !== null ? undefined : { kind: "agent", agent };
  }

  function tokenHolder({ headers }: IncomingMessage, hasTicket: boolean): Caller {
    if (hasTicket && headers.authorization === undefined) {
      throw new HubError(
        "UNAUTHENTICATED",
        "This ticket was used, or has run out, or its agent has left; ask for a new one: POST /auth/ticket",
      );
    }
    return authenticate(headers.authorization);
  }

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => socket.destroy());
    let admitted: Admitted;
    let reader: StreamReader | undefined;
    let remove: () => void;
    try {
      admitted = admit(request);
      remove = registry.add(memberId(admitted.caller), (reason) => reader?.drop(reason));
    } catch (error) {
      refuse(socket, error, ports.limits.readerLingerMs);
      return;
    }
    const { caller, server, start } = admitted;
    const leave = caller.kind === "agent" ? ports.presence.enter(caller.agent) : () => {};
    let stay = () => {};
    const cleanUp = () => {
      stay();
      reader?.close();
      remove();
      leave();
    };
    socket.once("close", cleanUp);
    server.handleUpgrade(request, socket, head, (client) => {
      client.on("error", () => client.terminate());
      reader = start(client, socket);
      stay = endWithToken(caller, ports.wall, (reason) => reader?.drop(reason));
    });
  };
}

/** A client that does not close its side is cut off: nobody else would, and its socket would keep the hub from stopping. */
function refuse(socket: Duplex, error: unknown, lingerMs: number): void {
  const { status, headers, body } = errorAnswer(error);
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body), connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines}\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
