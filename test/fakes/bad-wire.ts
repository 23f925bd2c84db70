import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createTcpServer, type Server } from "node:net";
import { onTestFinished } from "vitest";

/** What becomes of the nth call that goes over a bad wire, from 0 on. */
export type Mishap = "none" | "request lost" | "answer lost" | "500" | "twice" | "garbage";

/** Stands between two hubs and does to each call what the test says. */
export async function openBadWire(
  to: number,
  mishap: (call: number) => Mishap,
  /** Reads along: what each side says. */
  onBytes: (text: string) => void = () => {},
): Promise<number> {
  let calls = 0;
  return listen(
    createServer((incoming, outgoing) => {
      forward(incoming, outgoing, to, mishap(calls++), onBytes).catch(() => incoming.socket.destroy());
    }),
  );
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: number,
  mishap: Mishap,
  onBytes: (text: string) => void,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  onBytes(`${incoming.rawHeaders.join()}${body.toString()}`);
  if (mishap === "request lost") {
    incoming.socket.destroy();
    return;
  }
  if (mishap === "500" || mishap === "garbage") {
    outgoing.writeHead(mishap === "500" ? 500 : 200).end("<html>not what you expect</html>");
    return;
  }
  if (mishap === "twice") await pass(incoming, body, to);
  const { status, text } = await pass(incoming, body, to);
  onBytes(text);
  if (mishap === "answer lost") incoming.socket.destroy();
  else outgoing.writeHead(status, { "content-type": "application/json" }).end(text);
}

function pass(incoming: IncomingMessage, body: Buffer, port: number) {
  const { method, url, headers } = incoming;
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path: url, headers, agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** A peer that answers every call with these bytes; undefined: with nothing, ever. */
export async function openRawPeer(bytes: string | undefined, { hangUp = false } = {}): Promise<number> {
  return listen(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        if (bytes !== undefined) socket.write(bytes, () => hangUp && socket.destroy());
      });
    }),
  );
}

async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
