import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

/** Where the ports begin that the system hands out by itself: one of these would be somebody else's before it is listened on. */
function firstHandedOut(): number {
  const file = "/proc/sys/net/ipv4/ip_local_port_range";
  const first = existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : Number.NaN;
  return first > 12_000 ? first : 32_000;
}

/** A port at which nobody listens, and that nobody is given meanwhile: it is there for whoever listens on it later, and again. */
export async function freePort(): Promise<number> {
  const end = Math.min(firstHandedOut(), 32_000);
  for (;;) {
    const port = randomInt(10_000, end);
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
