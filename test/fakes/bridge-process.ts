import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/*
 * The bridge in a process of its own, as an agent CLI starts it: lines in, lines out. The tests speak JSON-RPC to it by
 * hand here, so that they can also say what no client would.
 */

export type RpcMessage = {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
};

export type BridgeOptions = {
  args?: readonly string[];
  env?: Record<string, string>;
  cwd?: string;
  /** A program in front, such as one that starts a session of its own. */
  under?: readonly string[];
};

export type BridgeProcess = {
  pid: number;
  child: ChildProcess;
  /** Everything that it has written so far, parsed. */
  said: RpcMessage[];
  stderr(): string;
  write(text: string | Buffer): void;
  send(message: RpcMessage | readonly RpcMessage[]): void;
  /** The next message that it writes for which this holds, also one that is there already. */
  next(isWanted: (message: RpcMessage) => boolean): Promise<RpcMessage>;
  /** Sends a request and waits for its answer. */
  request(method: string, params?: Record<string, unknown>, id?: string | number): Promise<RpcMessage>;
  initialize(client?: { name: string; version: string }): Promise<RpcMessage>;
  /** Initializes it and calls a tool, which makes it somebody. */
  join(client?: { name: string; version: string }): Promise<RpcMessage>;
  /** Closes its stdin. */
  end(): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/** What `npm run build` makes. */
export const bridgeProgram = () => resolve(process.env["HUDDLE_BRIDGE"] ?? "dist/mcp-bridge.cjs");

export function startBridge({ args = [], env = {}, cwd, under = [] }: BridgeOptions = {}): BridgeProcess {
  const command = [...under, process.execPath, bridgeProgram(), ...args];
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: "/nowhere", ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const said: RpcMessage[] = [];
  const listeners = new Set<() => void>();
  let stderr = "";
  let counted = 0;
  let hasEnded = false;
  child.stdin.on("error", () => {}); // It may have ended first.
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    said.push(JSON.parse(line) as RpcMessage);
    for (const look of listeners) look();
  });
  const ended = once(child, "close").then(([code, signal]) => {
    hasEnded = true;
    for (const look of listeners) look();
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });

  function next(isWanted: (message: RpcMessage) => boolean): Promise<RpcMessage> {
    return new Promise((found, fail) => {
      const look = () => {
        const message = said.find(isWanted);
        if (message === undefined && !hasEnded) return;
        listeners.delete(look);
        if (message === undefined) fail(new Error(`the bridge ended without an answer: ${stderr}`));
        else found(message);
      };
      listeners.add(look);
      look();
    });
  }

  function send(message: RpcMessage | readonly RpcMessage[]): void {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  function request(method: string, params?: Record<string, unknown>, id: string | number = ++counted) {
    send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return next((message) => message.id === id && message.method === undefined);
  }

  async function initialize(clientInfo = { name: "test-client", version: "1.0" }) {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const answer = await request("initialize", params);
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  return {
    pid: child.pid ?? 0,
    child,
    said,
    stderr: () => stderr,
    write: (text) => void child.stdin.write(text),
    send,
    next,
    request,
    initialize,
    async join(client) {
      await initialize(client);
      return request("tools/call", { name: "list_agents", arguments: {} });
    },
    end: () => void child.stdin.end(),
    ended,
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
  };
}
