import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { HubError } from "../../model/errors.js";
import { errorAnswer } from "../answers/error-answer.js";

/** The newest request of each connection. */
export type Exchanges = WeakMap<Duplex, { incoming: IncomingMessage; outgoing: ServerResponse }>;

/**
 * Answers bytes that are no HTTP request. If a whole request came before them on the same connection and is not answered
 * yet, its own answer is the last one: whoever sent it would take the refusal for that one's, though it may be stored. After an
 * answer that was begun before its request had come as a whole, a second one would be noise: the connection ends.
 */
export function createRefuseClient(exchanges: Exchanges, requestTimeoutMs: number) {
  /** Each further piece of noise is an error again. */
  const ending = new WeakSet<Duplex>();

  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (ending.has(socket)) return;
    const before = exchanges.get(socket);
    const isOpen = before !== undefined && !before.outgoing.closed;
    if (!isOpen || !(before.incoming.complete || before.outgoing.headersSent)) {
      refuse(error, socket);
      return;
    }
    ending.add(socket);
    if (before.incoming.complete) before.outgoing.once("close", () => void socket.end());
    else socket.end();
  };

  function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const refusal =
      error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? new HubError("REQUEST_TIMEOUT", `The request did not arrive within ${requestTimeoutMs / 1000} s`)
        : new HubError("INVALID_INPUT", `This is not an HTTP request that can be read: ${error.message}`);
    const { status, body } = errorAnswer(refusal);
    socket.end(
      `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `connection: close\r\n\r\n${body}`,
    );
  }
}
