import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bridgeProgram } from "./bridge-process.js";

export type SdkClientOptions = {
  home: string;
  name: string;
  /** Which protocol to open with: `initialize`, or 2026-07-28. */
  era?: "legacy" | "modern";
  args?: readonly string[];
  cwd?: string;
};

export type SdkClient = {
  client: Client;
  pid(): number;
  /** Calls a tool and answers with the object in its text. */
  tool(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};

/** Longer than the longest wait of a tool: on a busy machine the bridge takes its time to start. */
const TIMEOUT_MS = 200_000;

/** The official client, connected through the bridge as an agent CLI is. */
export async function connectSdkClient(options: SdkClientOptions): Promise<SdkClient> {
  const { home, name, era = "legacy", args = [], cwd = home } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridgeProgram(), ...args],
    env: { HUDDLE_HOME: home },
    cwd,
  });
  const client = new Client(
    { name, version: "1.0" },
    era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
  );
  await client.connect(transport, { timeout: TIMEOUT_MS });
  return {
    client,
    pid: () => transport.pid ?? 0,
    async tool(tool, given = {}) {
      const { content } = await client.callTool({ name: tool, arguments: given }, { timeout: TIMEOUT_MS });
      const [block] = content as { text: string }[];
      return JSON.parse(block?.text ?? "null") as Record<string, unknown>;
    },
    close: () => client.close(),
  };
}
