import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { HubProcess } from "./hub-process.js";
import { type RawResult, type ToolAnswer, toolAnswer } from "./tool-answer.js";

/** The two eras of the protocol that clients speak. */
export const eras = ["2025-11-25", "2026-07-28"] as const;
type Era = (typeof eras)[number];

export type McpOptions = { set?: string; era?: Era; headers?: Record<string, string> };

export type McpMember = {
  client: Client;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolAnswer>;
  names(): Promise<string[]>;
};

/** The official client, connected to a hub over HTTP as whoever holds the token. */
export async function connectMcp(
  hub: Pick<HubProcess, "url">,
  token: string,
  { set, era = "2025-11-25", headers = {} }: McpOptions = {},
): Promise<McpMember> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const url = new URL(`/mcp${set === undefined ? "" : `?tools=${set}`}`, hub.url);
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  return {
    client,
    async call(name, args = {}, signal) {
      const result = await client.callTool(
        { name, arguments: args },
        { timeout: 130_000, ...(signal === undefined ? {} : { signal }) },
      );
      return toolAnswer(result as RawResult);
    },
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
  };
}
