import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { bridgeProgram } from "./bridge-process.js";

/* A session of a CLI with hooks, in processes of its own: `hook-session.mjs` is the CLI. */

type HookRun = { code: number | null; stdout: string; stderr: string };

type HookOptions = {
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Whether a shell runs it, as it does for commands in settings. */
  shell?: boolean;
  under?: readonly string[];
  /** Its stdin is not closed. */
  keepOpen?: boolean;
};

export type HookSession = {
  pid: number;
  child: ChildProcess;
  /** Runs the hook with an event, or with anything else on its stdin. */
  hook(event: object | string, options?: HookOptions): Promise<HookRun>;
  /** Starts it and answers once it runs. */
  start(event: object | string, options?: HookOptions): Promise<{ pid: number; ended: Promise<HookRun> }>;
  /** What the hook at an event says to the model; undefined when it says nothing. */
  told(name: string, more?: object): Promise<string | undefined>;
  /** A tool of the hub, by the session's bridge. */
  tool(name: string, args?: object): Promise<Record<string, unknown>>;
  end(): void;
};

export type SessionOptions = {
  home: string;
  cwd: string;
  /** Without a bridge it has no identity. */
  bridge?: boolean;
  session?: string;
  env?: Readonly<Record<string, string>>;
  /** Who ends it; at the end of the test unless given. */
  onEnd?: (end: () => void) => void;
};

export const hookProgram = (): string => resolve(process.env["HUDDLE_HOOK"] ?? join("dist", "hook.cjs"));

type Said = { id?: number; pid?: number; code?: number | null; bridge?: { id?: number; result?: unknown } };

/** So that a busy machine fails no test that is about something else. */
const UNHURRIED = ["--within=300000"];

let counted = 0;

export async function startHookSession(options: SessionOptions): Promise<HookSession> {
  const { home, cwd, bridge = true, session = `session-${++counted}`, env = {} } = options;
  const { onEnd = onTestFinished } = options;
  mkdirSync(cwd, { recursive: true });
  const child = spawn(
    process.execPath,
    [resolve("test/fakes/hook-session.mjs"), bridge ? bridgeProgram() : "none", hookProgram()],
    {
      cwd,
      stdio: ["pipe", "pipe", "inherit"],
      env: { PATH: process.env["PATH"], HOME: "/nowhere", HUDDLE_HOME: home, ...env },
    },
  );
  onEnd(() => void child.kill("SIGKILL"));
  const watchers = new Set<(said: Said) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    for (const watcher of watchers) watcher(JSON.parse(line) as Said);
  });
  const order = (value: object) => void child.stdin.write(`${JSON.stringify(value)}\n`);
  const next = (fits: (said: Said) => boolean) =>
    new Promise<Said>((found) => {
      const watcher = (said: Said) => {
        if (!fits(said)) return;
        watchers.delete(watcher);
        found(said);
      };
      watchers.add(watcher);
    });

  async function rpc(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++counted;
    const answered = next((said) => said.bridge?.id === id);
    order({ bridge: { jsonrpc: "2.0", id, method, params } });
    return ((await answered).bridge?.result ?? {}) as Record<string, unknown>;
  }

  async function start(event: object | string, given: HookOptions = {}) {
    const id = ++counted;
    const began = next((said) => said.id === id && said.pid !== undefined);
    const ended = next((said) => said.id === id && said.code !== undefined);
    const whole = { session_id: session, cwd, ...(typeof event === "string" ? {} : event) };
    const input = typeof event === "string" ? event : JSON.stringify(whole);
    order({ id, input, args: UNHURRIED, ...given });
    return { pid: (await began).pid ?? 0, ended: ended.then((said) => said as unknown as HookRun) };
  }

  const hook = async (event: object | string, given?: HookOptions) => (await start(event, given)).ended;

  if (bridge) {
    const clientInfo = { name: "claude-code", version: "2.1.325" };
    await rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    await rpc("tools/call", { name: "list_agents", arguments: {} });
  }
  return {
    pid: child.pid ?? 0,
    child,
    hook,
    start,
    async told(name, more = {}) {
      const { stdout } = await hook({ hook_event_name: name, ...more });
      if (stdout === "") return undefined;
      const said = JSON.parse(stdout) as {
        decision?: string;
        reason?: string;
        hookSpecificOutput?: { hookEventName: string; additionalContext: string };
      };
      return said.decision === "block" ? said.reason : said.hookSpecificOutput?.additionalContext;
    },
    async tool(name, args = {}) {
      const { content } = await rpc("tools/call", { name, arguments: args });
      const [block] = (content ?? []) as { text: string }[];
      return JSON.parse(block?.text ?? "{}") as Record<string, unknown>;
    },
    end: () => void child.stdin.end(),
  };
}
