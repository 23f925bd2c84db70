import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { HubError } from "../../model/errors.js";
import { errorAnswer } from "../answers/error-answer.js";
import { type Authenticate, type Caller, memberId } from "../caller/auth.js";
import type { SameSite } from "../caller/same-site.js";
import type { Tickets } from "../caller/tickets.js";
import type { HubPorts } from "../ports.js";
import { openStream, type StartReader } from "../streams/open-stream.js";
import type { ReaderRegistry } from "../streams/reader-registry.js";
import { endWithToken } from "../streams/token-end.js";
import type { StreamReader } from "../streams/wire.js";

/** Clients have nothing to say on this socket. */
const INCOMING_LIMIT = 4096;

type SocketPorts = {
  ports: HubPorts;
  registry: ReaderRegistry;
  tickets: Tickets;
  sameSite: SameSite;
  authenticate: Authenticate;
};

/** Handles an HTTP upgrade: who is it, may they, from where; everything is checked before the socket is accepted. */
export function createSocketAcceptor({ ports, registry, tickets, sameSite, authenticate }: SocketPorts) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: INCOMING_LIMIT,
    perMessageDeflate: false,
  });

  function admit(request: IncomingMessage): { caller: Caller; startReader: StartReader } {
    const foreign = sameSite.check(request.headers);
    if (foreign !== undefined) throw foreign;
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const query = new URLSearchParams(rest.join("?"));
    const ticket = query.get("ticket");
    const caller = ticketHolder(ticket) ?? tokenHolder(request, ticket !== null);
    return { caller, startReader: openStream(ports, caller, path, query) };
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
    let admitted: ReturnType<typeof admit>;
    let reader: StreamReader | undefined;
    let remove: () => void;
    try {
      admitted = admit(request);
      remove = registry.add(memberId(admitted.caller), (reason) => reader?.drop(reason));
    } catch (error) {
      refuse(socket, error, ports.limits.readerLingerMs);
      return;
    }
    const { caller, startReader } = admitted;
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
      const gather = createGatherer(socket);
      reader = startReader({
        send(frame) {
          gather();
          client.send(frame, () => reader?.drained());
        },
        buffered: () => client.bufferedAmount,
        end(reason) {
          client.close(4008, reason.slice(0, 120));
          setTimeout(() => client.terminate(), ports.limits.readerLingerMs).unref();
        },
      });
      stay = endWithToken(caller, ports.wall, (reason) => reader?.drop(reason));
    });
  };
}

/** Frames that are sent one after the other go out in one write: a write costs more than a frame. */
function createGatherer(socket: Duplex): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    socket.cork();
    process.nextTick(() => {
      isGathering = false;
      socket.uncork();
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
