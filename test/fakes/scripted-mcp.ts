import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { RpcMessage } from "./bridge-process.js";

export type McpCall = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  message: RpcMessage;
  response: ServerResponse;
  request: IncomingMessage;
};

/** Answers one call to /mcp in any way it likes; what it returns is the result of a JSON answer. */
export type McpScript = (call: McpCall) => Record<string, unknown> | undefined;

export type ScriptedMcp = {
  url: string;
  /** What came to /mcp. */
  calls: McpCall[];
  /** Bodies of registrations, and tokens of heartbeats and departures. */
  registered: Record<string, unknown>[];
  others: string[];
  /** Tokens that are not accepted any more. */
  dead: Set<string>;
  close(): Promise<void>;
};

/** A server in the place of a hub that registers agents, knows their tokens, and answers /mcp by a script. */
export async function scriptedMcp(script: McpScript, port = 0): Promise<ScriptedMcp> {
  const calls: McpCall[] = [];
  const registered: Record<string, unknown>[] = [];
  const others: string[] = [];
  const dead = new Set<string>();
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    } catch {
      return; // Hung up.
    }
    const text = Buffer.concat(chunks).toString("utf8");
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const path = request.url ?? "";
    if (dead.has(token)) return json(response, 401, { error: "unknown", code: "UNAUTHENTICATED" });
    if (path === "/api/agents") {
      registered.push(JSON.parse(text) as Record<string, unknown>);
      const name = `${String(registered.at(-1)?.["name"])}${registered.length > 1 ? `-${registered.length}` : ""}`;
      return json(response, 201, { id: `id-${name}`, name, token: `token-${name}` });
    }
    if (!path.startsWith("/mcp")) {
      others.push(`${request.method} ${path} ${token}`);
      return void response.writeHead(204).end();
    }
    const message = JSON.parse(text) as RpcMessage;
    const call = { path, headers: request.headers, text, message, response, request };
    calls.push(call);
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = script(call);
    if (result !== undefined) json(response, 200, { jsonrpc: "2.0", id: message.id, result });
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => server.close(() => done()));
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    registered,
    others,
    dead,
    close,
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The beginning of an answer by server-sent events. */
export function startEvents({ response }: McpCall): (message: RpcMessage) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (message) => void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
