import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { HubError } from "../model/errors.js";
import { createGatherer } from "../model/gather-writes.js";
import { decodeRefusal } from "./decode-answer.js";
import type { FrameSocket, SocketListener } from "./frame-socket.js";
import { lostConnection } from "./lost-connection.js";

/** One that is also written to. What is sent before it stands is lost. */
export type SendingSocket = FrameSocket & { send(text: string): void };

export type OpenSendingSocket = (path: string, listener: SocketListener) => SendingSocket;

type Target = { url: string; token?: string | undefined };

/** Sockets on Node, with the token in a header. `locate` is asked for each: a restarted hub may be somewhere else. */
export function nodeSocket(locate: () => Target): OpenSendingSocket {
  return (path, listener) => {
    const { url, token } = locate();
    const socket = new WebSocket(url.replace(/\/+$/, "").replace(/^http/, "ws") + path, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    });
    let isOpen = true;
    const end = (why: HubError) => {
      if (!isOpen) return;
      isOpen = false;
      socket.terminate();
      listener.ended(why);
    };
    let gather = () => {};
    socket.on("upgrade", ({ socket: below }) => {
      gather = createGatherer(below);
    });
    socket.on("unexpected-response", (_, response) => void readRefusal(response).then(end));
    socket.on("error", (error: NodeJS.ErrnoException) => end(refused(url, error)));
    socket.on("close", (code, reason) => end(lostConnection(url, reason.toString() || `close code ${code}`)));
    socket.on("message", (data) => listener.frame(Buffer.isBuffer(data) ? data.toString("utf8") : ""));
    return {
      where: url,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      send(text) {
        if (socket.readyState !== WebSocket.OPEN) return;
        gather();
        socket.send(text);
      },
      close() {
        isOpen = false;
        socket.terminate();
      },
    };
  };
}

function refused(url: string, error: NodeJS.ErrnoException): HubError {
  const reason = error.code ?? error.message;
  if (reason !== "ECONNREFUSED") return lostConnection(url, reason, error);
  const text = `No hub answers at ${url} (${reason}). Start it with \`huddle up\``;
  return new HubError("HUB_UNREACHABLE", text, { url, reason }, { cause: error });
}

async function readRefusal(response: IncomingMessage): Promise<HubError> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  } catch {
    // Cut short: what came says enough, or decodes to "not an answer of a hub".
  }
  return decodeRefusal({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
}
