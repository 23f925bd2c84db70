import type { Socket } from "node:net";
import { plainAddress } from "./local-address.js";

/** The connections of a listener. Closing cuts all of them at once, but those whose request the hub is at work on. */
export type OpenSockets = {
  /** One that comes too late, or is one too many of its address, is cut. */
  add(socket: Socket): void;
  /** The hub is at work for it, until what is returned is called. */
  work(socket: Socket): () => void;
  isWorking(socket: object): boolean;
  working(): number;
  /** Cuts what is idle now, and everything that still works after `graceMs`. */
  close(graceMs: number): void;
};

export function createOpenSockets(perAddress: number): OpenSockets {
  const sockets = new Set<Socket>();
  const work = new Map<object, number>();
  const addresses = new Map<string, number>();
  let force: NodeJS.Timeout | undefined;
  let isClosed = false;

  function count(address: string, change: 1 | -1): number {
    const now = (addresses.get(address) ?? 0) + change;
    if (now === 0) addresses.delete(address);
    else addresses.set(address, now);
    return now;
  }

  function drop(socket: Socket, address: string) {
    sockets.delete(socket);
    count(address, -1);
    if (sockets.size === 0) clearTimeout(force);
  }

  return {
    add(socket) {
      if (isClosed) {
        socket.destroy();
        return;
      }
      const address = plainAddress(socket.remoteAddress);
      sockets.add(socket);
      socket.once("close", () => drop(socket, address));
      if (count(address, 1) > perAddress) socket.destroy();
    },
    work(socket) {
      work.set(socket, (work.get(socket) ?? 0) + 1);
      let isDone = false;
      return () => {
        if (isDone) return;
        isDone = true;
        const left = (work.get(socket) ?? 1) - 1;
        if (left > 0) work.set(socket, left);
        else work.delete(socket);
        if (isClosed && left === 0) socket.destroy();
      };
    },
    isWorking: (socket) => work.has(socket),
    working: () => work.size,
    close(graceMs) {
      if (isClosed) return;
      isClosed = true;
      for (const socket of sockets) if (!work.has(socket)) socket.destroy();
      if (work.size === 0) return;
      force = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
    },
  };
}
