import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below those that the system hands out by itself: one of these would be somebody else's before a server listens on it, and whoever
 * calls it again and again while nobody listens may be given it as its own end, and be connected to itself.
 */
const PORTS = { from: 12_000, to: 32_000 };

/** A port on loopback that nobody listens on, and that stays the same over restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
