import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join, resolve } from "node:path";
import type { HubOptions, HubProcess, HubYard } from "./hub-process.js";
import { freePort } from "./hub-sides.js";

/*
 * Several machines on one: each is a network namespace with an address of its own, and all hang on a bridge that is in another namespace,
 * so that nothing of the real network is touched. Needs root and `ip`.
 */

export type NetHost = {
  name: string;
  address: string;
  /** What runs a program on this machine: put before it. */
  under: readonly string[];
  /** A hub on this machine. Its own port is reached from here as from there. */
  startHub(options?: HubOptions): Promise<HubProcess>;
  /** What listens at this port of the loopback here is reached there as if it were there. */
  lend(port: number): Promise<void>;
  /** Runs a program there; its output. */
  run(program: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string };
  /** Whether anything that is sent to that machine gets there. */
  reaches(other: NetHost): boolean;
  /** Its cable is pulled out, and put back. */
  unplug(): void;
  plugIn(): void;
  /** Nothing goes from here to that machine any more; to all others it does. */
  block(other: NetHost): void;
  unblock(other: NetHost): void;
};

export type NetLab = {
  /** `isApart`: it reaches those that are not, and none that is. */
  host(name: string, options?: { isApart?: boolean }): Promise<NetHost>;
  clear(): Promise<void>;
};

/** Why there can be none here; undefined where there can. */
export function whyNoNetwork(): string | undefined {
  if (process.platform !== "linux") return "network namespaces need Linux";
  if (process.getuid?.() !== 0) return "network namespaces need root";
  const probe = `hud-${process.pid}-probe`;
  const { status, stderr, error } = spawnSync("ip", ["netns", "add", probe], { encoding: "utf8" });
  if (status !== 0) return `network namespaces cannot be made here: ${error?.message ?? stderr.trim()}`;
  ip("netns", "del", probe);
  return undefined;
}

const ip = (...args: string[]) => void execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] });

/** Says how a port is answered where nothing listens: with a refusal, if anybody is there. */
const CALL = `require("net").connect({ host: process.argv[1], port: 9, timeout: 3000 })
  .on("error", ({ code }) => console.log(code)).on("timeout", function () { this.destroy({ code: "silence" }); });`;

export function createNetLab(yard: HubYard): NetLab {
  const prefix = `hud-${process.pid}`;
  const bridge = `${prefix}-bridge`;
  const spaces: string[] = [];
  const relays: { child: ChildProcess; server: Server; sockets: Set<Socket> }[] = [];

  function addSpace(space: string) {
    ip("netns", "add", space);
    spaces.push(space);
    ip("-n", space, "link", "set", "lo", "up");
  }

  function open() {
    if (spaces.length > 0) return;
    addSpace(bridge);
    ip("-n", bridge, "link", "add", "br0", "type", "bridge");
    ip("-n", bridge, "link", "set", "br0", "up");
  }

  /** A port of the loopback of a machine and the same one here, by a socket in the file system, which both see. */
  async function relay(space: string, port: number, listens: "here" | "there"): Promise<void> {
    const path = join(yard.home(), "relay");
    const script = resolve("test", "fakes", "relay.mjs");
    const [from, to] = listens === "here" ? [path, String(port)] : [String(port), path];
    const child = spawn("ip", ["netns", "exec", space, process.execPath, script, from, to], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      const there = listens === "here" ? connect(path) : connect(port, "127.0.0.1");
      for (const [one, other] of [
        [socket, there],
        [there, socket],
      ] as const) {
        sockets.add(one);
        one.pipe(other);
        one.on("error", () => other.destroy());
        one.on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      }
    });
    if (listens === "here") server.listen(port, "127.0.0.1");
    else server.listen(path);
    await once(server, "listening");
    relays.push({ child, server, sockets });
  }

  return {
    async host(name, { isApart = false } = {}) {
      open();
      const space = `${prefix}-${name}`;
      const number = spaces.length;
      const address = `10.77.0.${number}`;
      const cable = `v${number}`;
      addSpace(space);
      ip("-n", bridge, "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space);
      ip("-n", bridge, "link", "set", cable, "master", "br0");
      if (isApart) ip("-n", bridge, "link", "set", "dev", cable, "type", "bridge_slave", "isolated", "on");
      ip("-n", bridge, "link", "set", cable, "up");
      ip("-n", space, "address", "add", `${address}/24`, "dev", "eth0");
      ip("-n", space, "link", "set", "eth0", "up");
      const port = await freePort();
      const under = ["ip", "netns", "exec", space];
      let isLed = false;
      const run = (program: string, args: readonly string[]) => {
        const { status, stdout, stderr } = spawnSync("ip", ["netns", "exec", space, program, ...args], {
          encoding: "utf8",
        });
        return { status, stdout, stderr };
      };
      return {
        name,
        address,
        under,
        async startHub(options = {}) {
          // The hub's own port is on the loopback of its machine: whoever calls it here is led there.
          if (!isLed) await relay(space, port, "here");
          isLed = true;
          return yard.start({ ...options, port, under });
        },
        lend: (lent) => relay(space, lent, "there"),
        run,
        reaches: (other) =>
          run(process.execPath, ["-e", CALL, other.address]).stdout.trim() === "ECONNREFUSED",
        unplug: () => ip("-n", bridge, "link", "set", cable, "down"),
        plugIn: () => ip("-n", bridge, "link", "set", cable, "up"),
        block: (other) => ip("-n", space, "route", "add", "blackhole", other.address),
        unblock: (other) => ip("-n", space, "route", "del", "blackhole", other.address),
      };
    },
    /** After the hubs have ended. */
    async clear() {
      for (const { child, server, sockets } of relays) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
        server.close();
        for (const socket of sockets) socket.destroy();
        await once(server, "close");
      }
      for (const space of spaces.reverse()) ip("netns", "del", space);
    },
  };
}
