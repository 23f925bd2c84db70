import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { freePort } from "./free-port.js";

type Call = { method: string; path: string; body: unknown; authorization: string | undefined };
/** What to answer: a status and a document (or raw text), or `reset` to hang up without an answer. */
type ScriptedAnswer =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | "reset";
export type Script = (call: Call, nth: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** Serves one WebSocket connection; the nth connection gets the nth of them. */
export type Serve = (socket: WebSocket) => void;

export type ScriptedHub = { url: string; calls: Call[]; streams: Pick<Call, "path" | "authorization">[] };

/** A real server that answers by a script, feeds event streams by another, and remembers what it was asked. */
export async function scriptedHub(script: Script, ...connections: Serve[]): Promise<ScriptedHub> {
  const calls: Call[] = [];
  const streams: ScriptedHub["streams"] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const call = {
      method: request.method ?? "",
      path: request.url ?? "",
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
      authorization: request.headers.authorization,
    };
    calls.push(call);
    const scripted = await script(call, calls.length);
    if (scripted === "reset") {
      request.socket.destroy();
      return;
    }
    response.writeHead(scripted.status, { "content-type": "application/json", ...scripted.headers });
    response.end(scripted.text ?? (scripted.json === undefined ? "" : JSON.stringify(scripted.json)));
  }

  // Without a listener for upgrades, node answers one as it would any request.
  const sockets = connections.length === 0 ? undefined : new WebSocketServer({ server });
  sockets?.on("connection", (socket, request) => {
    streams.push({ path: request.url ?? "", authorization: request.headers.authorization });
    connections[streams.length - 1]?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets?.clients ?? []) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, streams };
}

/** Sends frames as the hub does. */
export function say(socket: WebSocket, ...frames: readonly unknown[]): void {
  for (const frame of frames) socket.send(JSON.stringify(frame));
}

/** A port on which nothing listens. */
export const closedPort = freePort;
