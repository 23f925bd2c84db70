import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lab } from "./lab.js";
import { openRedis } from "./redis-connection.js";
import { within } from "./within.js";

/** A Redis of the bench's own, on loopback, that syncs every write before it answers. Resolves to its port. */
export async function startRedis(lab: Lab): Promise<number> {
  const port = await freePort();
  const settings = { bind: "127.0.0.1", port, dir: lab.folder(), appendonly: "yes", appendfsync: "always" };
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
  const redis = spawn("redis-server", [...args, "--save", ""], { stdio: "ignore" });
  const missing = new Promise<never>((_, reject) => {
    redis.once("error", () =>
      reject(new Error("redis-server is missing. Install it with: apt-get install -y redis-server")),
    );
  });
  missing.catch(() => {});
  lab.onClose(async () => {
    redis.kill("SIGKILL");
    if (redis.exitCode === null && redis.signalCode === null && redis.pid !== undefined)
      await once(redis, "exit");
  });
  await within(10_000, "starting Redis", Promise.race([answers(port), missing]));
  return port;
}

async function answers(port: number): Promise<void> {
  for (;;) {
    const connection = openRedis(port);
    try {
      await connection.ask("PING");
      return;
    } catch {
      await sleep(50);
    } finally {
      connection.close();
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
