import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimeKind } from "../../../src/model/hosting.js";
import { defaultPaneTimes, type Look, look, type Pane, shownOn } from "../../../src/runtime/tmux/pane.js";
import { createTmuxClient } from "../../../src/runtime/tmux/tmux-client.js";
import { vendors } from "../../../src/runtime/vendors/vendors.js";
import type { Client, ClientWorld, Launch } from "../../clients/client.js";
import { cleanEnvironment, runHeadless } from "../../clients/run-client.js";

/*
 * A vendor's CLI as a person drives it without Huddle: the bare protocol, a command for each prompt, or the keyboard in
 * front of its screen. Nothing is confirmed or written down on the way.
 */

export type HandAgent = {
  /** Resolves when the turn is over; the model sees the prompt before that. */
  prompt(text: string): Promise<void>;
  close(): Promise<void>;
};

/** `toolsListed`: a file that its bridge makes when the CLI has the list of its tools. */
type Hands = ClientWorld & { toolsListed: string };

export function startByHand(kind: RuntimeKind, client: Client, world: Hands): Promise<HandAgent> {
  if (kind === "acp") return startAcp(client, world);
  return kind === "tmux" ? startScreen(client, world) : startHeadless(client, world);
}

async function startHeadless(client: Client, world: ClientWorld): Promise<HandAgent> {
  let session: string | undefined;
  return {
    async prompt(text) {
      session = (await runHeadless(client, world, text, { resume: session })).session;
    },
    close: async () => {},
  };
}

function start(world: ClientWorld, launch: Launch): ChildProcess {
  const [command = "", ...args] = launch.argv;
  const stdio = ["pipe", "pipe", "ignore"] as const;
  const env = cleanEnvironment(world, launch);
  return spawn(command, args, { cwd: world.cwd, env, stdio: [...stdio], detached: true });
}

async function startAcp(client: Client, world: ClientWorld): Promise<HandAgent> {
  const child = start(world, client.acp(world));
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const write = (message: object) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let calls = 0;
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      write({ id: calls, method, params });
    });
  if (child.stdout === null) throw new Error("no output to read");
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { id, method, result, error } = JSON.parse(line) as AcpMessage;
    if (id === undefined) return;
    if (method !== undefined) write({ id, error: { code: -32601, message: "not served" } });
    else if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(JSON.stringify(error)));
  });
  const capabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  await ask("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  // Its own configuration has the servers, as that of its screen.
  const mcpServers = Object.entries(world.mcp).map(([name, { command, args, env = {} }]) => ({
    name,
    command,
    args,
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
  }));
  const opened = (await ask("session/new", { cwd: world.cwd, mcpServers })) as { sessionId: string };
  return {
    async prompt(text) {
      await ask("session/prompt", { sessionId: opened.sessionId, prompt: [{ type: "text", text }] });
    },
    close: () => endGroup(child),
  };
}

type AcpMessage = { id?: number; method?: string; result?: unknown; error?: unknown };

async function endGroup(child: ChildProcess): Promise<void> {
  const gone = once(child, "close");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await gone;
}

let sockets = 0;
const LOOK_MS = 20;
const LONGEST_MS = 60_000;

async function startScreen(client: Client, world: Hands): Promise<HandAgent> {
  sockets += 1;
  const tmux = createTmuxClient({ socket: `huddle-hand-${process.pid}-${sockets}` });
  const launch = client.tui(world);
  rmSync(world.toolsListed, { force: true });
  const env = Object.entries(cleanEnvironment(world, launch)).map(([name, value]) => `${name}=${value}`);
  const argv = ["env", "-i", ...env, ...launch.argv];
  await tmux.run(["new-session", "-d", "-x", "140", "-y", "45", "-s", "hand", "-c", world.cwd, ...argv]);
  const info = await tmux.paneOf("hand:");
  const rule = Object.values(vendors).find(({ screen }) => screen.cli === client.name)?.screen;
  if (info === undefined || rule === undefined) throw new Error(`no screen of ${client.name}`);
  const pane: Pane = { tmux, id: info.id, pid: info.pid, hosted: true, rule, times: defaultPaneTimes };
  const until = async (isDone: (seen: Look) => boolean) => {
    const deadline = performance.now() + LONGEST_MS;
    for (;;) {
      const seen = await look(pane);
      if (isDone(seen)) return;
      if (performance.now() >= deadline) throw new Error(`${client.name} stays so:\n${shownOn(seen)}`);
      await sleep(LOOK_MS);
    }
  };
  const isReady = ({ reading }: Look) => reading.state === "ready";
  // A first prompt before that would go without the tools, which is no use.
  const hasTools = () => rule.startsWithTools || existsSync(world.toolsListed);
  await until((seen) => isReady(seen) && hasTools()).catch(async (error: unknown) => {
    await tmux.run(["kill-server"]);
    throw error;
  });
  return {
    async prompt(text) {
      // Pasted, as people do: codex takes an Enter right behind fast keys for a new line.
      await tmux.run([
        "set-buffer",
        "-b",
        "hand",
        text,
        ";",
        "paste-buffer",
        "-p",
        "-d",
        "-b",
        "hand",
        "-t",
        pane.id,
      ]);
      await until(({ reading }) => reading.state === "draft");
      // Some take an Enter right behind a text for part of it.
      await sleep(rule.settleMs);
      await tmux.sendKeys(pane.id, "Enter");
      await until(({ reading }) => reading.state !== "draft");
      // A short turn may be over before it is looked at.
      await sleep(LOOK_MS);
      await until(isReady);
    },
    async close() {
      await tmux.run(["kill-server"]);
    },
  };
}
