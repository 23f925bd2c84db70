import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import type { StreamCount } from "../../src/fabric/link-streams.js";
import { ensureStreams } from "../../src/fabric/streams.js";
import { freePort } from "./free-port.js";
import { patiently } from "./patiently.js";
import { tempFolder } from "./temp-folder.js";

/** A real server with a store of its own, on loopback. */
export type NatsServer = {
  url: string;
  port: number;
  folder: string;
  /** Without a chance to write anything down. */
  kill(): Promise<void>;
  /** It takes what comes and answers nothing. */
  freeze(): void;
  thaw(): void;
  reload(): void;
  start(): Promise<void>;
  /** All that it stored. */
  wipe(): void;
  /** What it wrote since it started. */
  log(): string;
  /** With all rights, where the server has no accounts. */
  connect(): Promise<NatsConnection>;
};

type ServerOptions = {
  /** A program that runs it, with its arguments, such as one that enters a network namespace. */
  under?: readonly string[];
  /** More arguments of its own. */
  args?: readonly string[];
  /** Who ends it; at the end of the test unless given. */
  onEnd?: (end: () => Promise<void>) => void;
};

type Options = {
  /** Below the usual lines of its configuration. */
  more?: string;
};

/** Over how many streams the mailboxes of a test are spread. */
export const TEST_STREAMS = 4;

/** Debian puts it where only root looks. */
function findNatsServer(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/bin"];
  return folders.map((folder) => join(folder, "nats-server")).find((path) => existsSync(path));
}

export async function startNatsServer({ more = "" }: Options = {}): Promise<NatsServer> {
  const folder = tempFolder();
  const port = await freePort();
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    "max_payload: 2MB",
    'jetstream { store_dir: "jetstream", max_file: 4GB }',
    more,
  ];
  writeFileSync(join(folder, "nats.conf"), lines.join("\n"));
  return startServerIn(folder, "nats.conf", port);
}

/** With a configuration that is there. */
export async function startServerIn(
  folder: string,
  conf: string,
  port: number,
  { under = [], args = [], onEnd = onTestFinished }: ServerOptions = {},
): Promise<NatsServer> {
  const program = findNatsServer();
  if (program === undefined) throw new Error("there is no nats-server: npm test installs it where it may");
  const log = join(folder, "nats.log");
  let child: ChildProcess | undefined;

  async function end(signal: NodeJS.Signals) {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGCONT");
    ending.kill(signal);
    await ended;
  }

  async function start() {
    rmSync(log, { force: true });
    const [first = "", ...rest] = [...under, program ?? "", "-c", conf, "-l", log, ...args];
    child = spawn(first, rest, { cwd: folder, stdio: "ignore" });
    await patiently(() => {
      if (!readLog().includes("Server is ready")) throw new Error(`nats-server is not ready: ${readLog()}`);
    });
  }

  const readLog = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  onEnd(() => end("SIGKILL"));
  await start();
  const url = `nats://127.0.0.1:${port}`;
  return {
    url,
    port,
    folder,
    start,
    kill: () => end("SIGKILL"),
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    reload: () => void child?.kill("SIGHUP"),
    log: readLog,
    wipe: () => rmSync(join(folder, "jetstream"), { recursive: true, force: true }),
    connect: () => connect({ servers: url }),
  };
}

/** The same, with the fabric's streams. */
export async function startFabricServer(
  options: Options & {
    streams?: StreamCount;
    onServer?: ((server: NatsServer) => Promise<void>) | undefined;
  } = {},
): Promise<NatsServer> {
  const server = await startNatsServer(options);
  await options.onServer?.(server);
  const connection = await server.connect();
  await ensureStreams(connection, { count: options.streams ?? TEST_STREAMS });
  await connection.close();
  return server;
}
