import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Lab } from "./lab.js";
import { within } from "./within.js";

/** A hot loop is up to four times as fast as a process that was idle; those that wait are idle. */
export const PACE_MS = 5;
const MESSAGE = "x".repeat(200);

/** How long one of it took, in milliseconds. */
export type Timed = () => Promise<number>;

/** The anchor of what wakes somebody: a message over a WebSocket and back. */
export async function prepareEcho(lab: Lab): Promise<Timed> {
  const { port } = (await lab.child("ws-echo")).greeting as { port: number };
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  lab.onClose(() => socket.terminate());
  await within(5000, "connecting to the echo", once(socket, "open"));
  return async () => {
    await sleep(PACE_MS);
    const back = once(socket, "message");
    const start = performance.now();
    socket.send(MESSAGE);
    await back;
    return performance.now() - start;
  };
}
