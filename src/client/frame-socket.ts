import type { HubError } from "../model/errors.js";

/*
 * A WebSocket to the hub, whoever opens it: `node-socket.ts` for programs on Node, the desk its own for the browser. What
 * follows streams imports only this, so that it runs in both.
 */

export type SocketListener = {
  /** One frame, as it came. */
  frame(text: string): void;
  /** There will be no more frames. Called once, unless it was closed from here. */
  ended(why: HubError): void;
};

export type FrameSocket = {
  /** Which hub it goes to, for people to read. */
  readonly where: string;
  /** Asks for no more frames for now. A browser cannot. */
  pause?(): void;
  resume?(): void;
  close(): void;
};

/**
 * Opens a socket for a path with its query. It MUST authenticate by itself: with a header, or with a ticket of its own in the
 * query. It may throw a HubError at once, or tell `ended` later; a connection that is lost MUST be HUB_UNREACHABLE.
 */
export type OpenSocket = (path: string, listener: SocketListener) => FrameSocket;
