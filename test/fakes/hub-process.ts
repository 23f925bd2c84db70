import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, createCaller } from "./http-call.js";
import { PATIENCE_MS } from "./patience.js";
import { readProcesses } from "./processes.js";

/*
 * Real hubs in processes of their own, each with a data directory of its own: `huddle up --foreground --json --port 0`.
 */

export type HubOptions = {
  /** The data directory; a new one unless given. */
  home?: string;
  /** `key=value` overrides of the configuration. */
  set?: readonly string[];
  /** Whether agents are slowed down and stopped as by default; tests of other things load a hub as fast as it goes. */
  paced?: boolean;
  /** A program that runs the hub, such as strace with its arguments. */
  under?: readonly string[];
  port?: number;
  env?: Record<string, string>;
};

type HubEnd = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type HubProcess = {
  home: string;
  url: string;
  port: number;
  pid: number;
  /** The operator's token and the join token. */
  operator: string;
  join: string;
  http: Caller;
  stderr(): string;
  ended: Promise<HubEnd>;
  /** SIGKILL, and wait until the process is gone. */
  kill(): Promise<HubEnd>;
  /** SIGTERM, and wait for its exit. */
  stop(): Promise<HubEnd>;
};

export type Launch = {
  child: ChildProcess;
  /** The pid of the hub, or of what it runs under. */
  pid: number;
  ready: Promise<Ready>;
  ended: Promise<HubEnd>;
  stderr(): string;
};

type Ready = { url: string; pid: number; data: string; token_file: string };

/** Nobody is slowed down or stopped: all of that is still decided, by numbers that nobody reaches. */
export const unpaced = [
  'cooldown.delays=["0s"]',
  "cooldown.cap=0",
  "conversation.hops=1000000000",
  "conversation.messages=1000000000",
  "conversation.unattended=1000000000",
  "requests.pace=0",
  "requests.agent_cap=1000000",
];

/** On a busy machine a page takes longer than usual to use its ticket. */
const patient = ["events.ticket_life=10m"];

/** What `npm run build` makes, or another build to be tested. */
const program = () => resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"));

/** A data directory whose hub takes a free port, whoever starts it: a bridge does when it finds none. */
function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "huddle-e2e-"));
  // Nothing of a test listens on the network of the machine.
  writeFileSync(join(home, "huddle.yaml"), "port: 0\nagent-comms: {host: 127.0.0.1, port: 0}\n");
  return home;
}

/**
 * What a hub takes over from the test: where programs, its temporary files, its home and tmux's sockets are, and which database driver a
 * run is about. Nothing else of the machine, nor of the agent that runs the tests.
 */
const inherited = ["PATH", "HOME", "TMPDIR", "TMUX_TMPDIR", "HUDDLE_SQLITE", "HUDDLE_SQLITE_DIR"];

function placeOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Starts a hub without waiting for it: for those that are refused, or killed while they start. */
export function launchHub({
  home,
  set = [],
  paced = false,
  under = [],
  port = 0,
  env = {},
}: HubOptions & { home: string }): Launch {
  const command = [
    ...under,
    process.execPath,
    program(),
    "up",
    "--foreground",
    "--json",
    `--port=${port}`,
    ...[...(paced ? [] : unpaced), ...patient, ...set].flatMap((pair) => ["--set", pair]),
  ];
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...placeOf(process.env), HUDDLE_HOME: home, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-100_000);
  });
  const ended = new Promise<HubEnd>((done) => {
    child.once("close", (code, signal) => done({ code, signal, stdout, stderr }));
  });
  const ready = new Promise<Ready>((done, fail) => {
    child.once("error", fail);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      const [line] = stdout.split("\n", 1);
      if (stdout.includes("\n") && line !== undefined) done(JSON.parse(line) as Ready);
    });
    void ended.then(({ code, signal }) =>
      fail(new Error(`the hub did not start (${code ?? signal}): ${stdout} ${stderr}`)),
    );
  });
  ready.catch(() => {}); // Whoever launches to kill does not wait for it.
  return { child, pid: child.pid ?? 0, ready, ended, stderr: () => stderr };
}

async function startHub(options: HubOptions = {}): Promise<HubProcess> {
  const home = options.home ?? newHome();
  const launch = launchHub({ ...options, home });
  const { url, pid } = await launch.ready;
  return describeHub({ home, url, pid, ended: launch.ended, stderr: launch.stderr });
}

/** The hub that runs in a home, whoever started it. */
async function findHub(home: string): Promise<HubProcess> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = readHubFile(home);
    // One that was killed leaves its file behind.
    if (found !== undefined && isAlive(found.pid))
      return describeHub({ ...found, home, ended: whenGone(found.pid), stderr: () => "" });
    if (Date.now() > deadline) throw new Error(`no hub came up in ${home}`);
    await sleep(20);
  }
}

function readHubFile(home: string): { url: string; pid: number } | undefined {
  const file = join(home, "hub.json");
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { url: string; pid: number })
    : undefined;
}

async function whenGone(pid: number): Promise<HubEnd> {
  while (isAlive(pid)) await sleep(20);
  return { code: null, signal: null, stdout: "", stderr: "" };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

type Found = Pick<HubProcess, "home" | "url" | "pid" | "ended" | "stderr">;

function describeHub({ home, url, pid, ended, stderr }: Found): HubProcess {
  const http = createCaller(url);
  async function end(signal: NodeJS.Signals): Promise<HubEnd> {
    signalProcess(pid, signal);
    const outcome = await ended;
    http.close();
    return outcome;
  }
  return {
    home,
    url,
    port: Number(new URL(url).port),
    pid,
    operator: readFileSync(join(home, "token"), "utf8").trim(),
    join: readFileSync(join(home, "join"), "utf8").trim(),
    http,
    stderr,
    ended,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

/** A process that is gone already needs no signal. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The hubs of one test: `clear` kills what still runs and removes every data directory. */
export type HubYard = {
  home(): string;
  start(options?: HubOptions): Promise<HubProcess>;
  /** Starts a hub again in a home where bridges wait for it, and may have started it first. */
  startAgain(home: string): Promise<HubProcess>;
  clear(): Promise<void>;
};

/**
 * Hubs that a bridge started and that no test knows of, and the bridges that would start another: a hub that begins after
 * its folder was removed makes it again, and stays.
 */
async function killHubsOf(home: string): Promise<void> {
  const mark = `HUDDLE_HOME=${home}\0`;
  for (;;) {
    const hubs = readProcesses("environ").filter(([path, text]) => text.includes(mark) && mayBeHub(path));
    if (hubs.length === 0) return;
    for (const [path] of hubs) signalProcess(Number(path.split("/")[2]), "SIGKILL");
    await sleep(20);
  }
}

function mayBeHub(environ: string): boolean {
  try {
    return /\0up(\0|$)|mcp-bridge\.cjs/.test(readFileSync(join(dirname(environ), "cmdline"), "utf8"));
  } catch {
    return false; // It ended meanwhile.
  }
}

export function createHubYard(): HubYard {
  const homes = new Set<string>();
  const running = new Set<HubProcess>();
  function home(): string {
    const folder = newHome();
    homes.add(folder);
    return folder;
  }
  function keep(hub: HubProcess): HubProcess {
    running.add(hub);
    void hub.ended.then(() => running.delete(hub));
    return hub;
  }
  return {
    home,
    start: async (options = {}) => keep(await startHub({ ...options, home: options.home ?? home() })),
    async startAgain(place) {
      try {
        return keep(await startHub({ home: place }));
      } catch (error) {
        if (!String(error).includes("HUB_RUNNING")) throw error;
        return keep(await findHub(place));
      }
    },
    async clear() {
      await Promise.all([...running].map((hub) => hub.kill()));
      for (const folder of homes) await killHubsOf(folder);
      for (const folder of homes) rmSync(folder, { recursive: true, force: true });
      homes.clear();
    },
  };
}
