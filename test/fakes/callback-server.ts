import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Call = { path: string; headers: IncomingHttpHeaders; body: string };

/** A peer that takes callbacks, on loopback. `answer` says how; 204 unless told. */
export async function openCallbackServer(
  answer: (response: ServerResponse, call: number) => void = (response) => response.writeHead(204).end(),
) {
  const calls: Call[] = [];
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      // What hubs ask each other is no callback: whoever is there is asked once what it is.
      if (request.url?.startsWith("/agent/")) {
        response.writeHead(404).end();
        return;
      }
      calls.push({
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      answer(response, calls.length);
      for (const listener of listeners) listener();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    /** Resolves once it was called that often. */
    async called(times: number): Promise<void> {
      while (calls.length < times)
        await new Promise<void>((resolve) => {
          listeners.add(resolve);
        });
    },
  };
}
