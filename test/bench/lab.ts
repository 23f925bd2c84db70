import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Caller, createCaller } from "../fakes/http-call.js";
import { type Launch, launchHub, signalProcess } from "../fakes/hub-process.js";
import { within } from "./within.js";

/*
 * Where a measurement works: hubs and other processes that it starts, folders on the project's own disk. Closing it
 * kills and removes all of them.
 */

export type BenchHub = {
  home: string;
  pid: number;
  port: number;
  url: string;
  join: string;
  operator: string;
  http: Caller;
};

export type Child = {
  /** Says something to the child and waits for its next answer. */
  ask(message: unknown, withinMs?: number): Promise<unknown>;
  /** The first thing that it says. */
  greeting: unknown;
};

export type Lab = {
  quick: boolean;
  folder(): string;
  /** Without `home`, a new one. */
  hub(options?: { home?: string; set?: readonly string[]; env?: Record<string, string> }): Promise<BenchHub>;
  /** Starts children/<name>.js in a process of its own; it ends with ours. */
  child(name: string): Promise<Child>;
  stop(hub: BenchHub): Promise<void>;
  /** Something else to undo at the end. */
  onClose(close: () => unknown): void;
  close(): Promise<void>;
};

export const CACHE = resolve(".cache", "bench");
const START_MS = 30_000;

export function openLab({ quick }: { quick: boolean }): Lab {
  const closings: (() => unknown)[] = [];
  const launches = new Map<number, Launch>();

  function folder(): string {
    mkdirSync(CACHE, { recursive: true });
    const made = mkdtempSync(join(CACHE, "run-"));
    closings.push(() => rmSync(made, { recursive: true, force: true }));
    return made;
  }

  async function end(pid: number, signal: NodeJS.Signals): Promise<void> {
    const launch = launches.get(pid);
    if (launch === undefined) return;
    signalProcess(pid, signal);
    try {
      await within(10_000, `stopping hub ${pid}`, launch.ended);
    } finally {
      signalProcess(pid, "SIGKILL");
      launches.delete(pid);
    }
  }

  return {
    quick,
    folder,
    async hub({ home = folder(), set = [], env = {} } = {}) {
      // Nobody goes offline in the middle of a measurement.
      const launch = launchHub({ home, set: ["presence.offline_after=24h", ...set], env });
      launches.set(launch.pid, launch);
      closings.push(() => end(launch.pid, "SIGKILL"));
      const { url } = await within(START_MS, "starting a hub", launch.ready);
      const http = createCaller(url);
      closings.push(http.close);
      const secret = (name: string) => readFileSync(join(home, name), "utf8").trim();
      const port = Number(new URL(url).port);
      return { home, pid: launch.pid, port, url, join: secret("join"), operator: secret("token"), http };
    },
    async child(name) {
      const process = fork(new URL(`./children/${name}.js`, import.meta.url));
      closings.push(() => process.kill("SIGKILL"));
      return { greeting: await next(process, name, START_MS), ask: askOf(process, name) };
    },
    stop: ({ pid }) => end(pid, "SIGTERM"),
    onClose: (close) => void closings.push(close),
    async close() {
      for (const close of closings.splice(0).reverse()) {
        await Promise.resolve(close()).catch((error: unknown) => console.error(error));
      }
    },
  };
}

function askOf(process: ChildProcess, name: string): Child["ask"] {
  return (message, withinMs = START_MS) => {
    const answer = next(process, name, withinMs);
    process.send(message as object);
    return answer;
  };
}

async function next(process: ChildProcess, name: string, withinMs: number): Promise<unknown> {
  const waiting = new AbortController();
  const answer = once(process, "message", { signal: waiting.signal });
  const gone = once(process, "exit", { signal: waiting.signal }).then(() => {
    throw new Error(`${name} ended without an answer`);
  });
  try {
    const [message] = (await within(withinMs, `an answer from ${name}`, Promise.race([answer, gone]))) as [
      unknown,
    ];
    return message;
  } finally {
    waiting.abort();
    answer.catch(() => {});
    gone.catch(() => {});
  }
}
