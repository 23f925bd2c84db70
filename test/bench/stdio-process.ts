import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Lab } from "./lab.js";

/** A process that answers lines with lines, as an MCP server does. */
export type StdioProcess = {
  pid: number;
  child: ChildProcess;
  write(line: string): void;
  /** The next line that it writes. */
  line(): Promise<string>;
};

export type StdioOptions = { home?: string; cwd?: string };

export const bridge = resolve("dist", "mcp-bridge.cjs");

/** Writes back each chunk that it gets. */
export const echo = ["-e", "process.stdin.on('data', (chunk) => process.stdout.write(chunk))"];

export function startStdio(
  lab: Lab,
  args: readonly string[],
  { home, cwd }: StdioOptions = {},
): StdioProcess {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    // Without NODE_EXTRA_CA_CERTS, which alone costs more than the rest of a start.
    env: { PATH: process.env["PATH"], ...(home === undefined ? {} : { HUDDLE_HOME: home }) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  lab.onClose(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      const take = waiting.shift();
      if (take === undefined) lines.push(line);
      else take(line);
    }
  });
  return {
    pid: child.pid ?? 0,
    child,
    write: (line) => void child.stdin.write(`${line}\n`),
    line: () => {
      const line = lines.shift();
      return line === undefined ? new Promise((take) => waiting.push(take)) : Promise.resolve(line);
    },
  };
}

/** How long Node itself takes, in ms: the anchor of whatever is started. */
export async function startNode(lab: Lab): Promise<number> {
  const from = performance.now();
  const { child } = startStdio(lab, ["-e", "0"]);
  await once(child, "exit");
  return performance.now() - from;
}

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: "i",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const listTools = '{"jsonrpc":"2.0","id":"t","method":"tools/list"}';

/** Opens a connection as a CLI does, up to the list of tools. */
export async function openMcp({ write, line }: StdioProcess): Promise<void> {
  write(initialize);
  await line();
  write(initialized);
  write(listTools);
  const answer = await line();
  if (!answer.includes("send_message")) throw new Error(`no tools: ${answer}`);
}

/** The same, and calls a tool: from then on it is an agent. */
export async function joinMcp(process: StdioProcess): Promise<void> {
  await openMcp(process);
  process.write(callTool("list_agents", {}, 0));
  const answer = await process.line();
  if (!answer.includes("self")) throw new Error(`nobody: ${answer}`);
}

export function callTool(name: string, args: Record<string, unknown>, id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
}
