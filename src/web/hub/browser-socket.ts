import type { OpenSocket } from "../../client/frame-socket.js";
import { lostConnection } from "../../client/lost-connection.js";
import { HubError } from "../../model/errors.js";
import { hub } from "./hub.js";

/** A browser sends no header with a WebSocket: each is opened by a ticket of its own. */
export const openBrowserSocket: OpenSocket = (path, listener) => {
  const where = window.location.host;
  const leaving = new AbortController();
  let socket: WebSocket | undefined;
  const end = (why: HubError) => {
    if (leaving.signal.aborted) return;
    leaving.abort();
    socket?.close();
    listener.ended(why);
  };
  const connect = (ticket: string) => {
    if (leaving.signal.aborted) return;
    const url = new URL(path, window.location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("ticket", ticket);
    socket = new WebSocket(url);
    socket.addEventListener("message", ({ data }) => {
      if (!leaving.signal.aborted) listener.frame(typeof data === "string" ? data : "");
    });
    socket.addEventListener("close", ({ code, reason }) =>
      end(lostConnection(where, reason === "" ? `close code ${code}` : reason)),
    );
  };
  hub
    .ticket({ signal: leaving.signal, timeoutMs: 10_000 })
    .then(({ ticket }) => connect(ticket))
    .catch((error: unknown) =>
      end(error instanceof HubError ? error : lostConnection(where, "no ticket came", toError(error))),
    );
  return {
    where,
    close() {
      leaving.abort();
      socket?.close();
    },
  };
};

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
