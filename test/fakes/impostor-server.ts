import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Somebody who answers in a server's place, says this of himself, and writes down what he is told. */
export async function startImpostor(
  info: Record<string, unknown>,
  onTold: (text: string, socket: Socket) => void = () => {},
) {
  const sockets = new Set<Socket>();
  let told = "";
  let calls = 0;
  const usual = { server_id: "S", version: "2.9.10", proto: 1, headers: true, max_payload: 1 << 20 };
  const server = createServer((socket) => {
    calls++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write(`INFO ${JSON.stringify({ ...usual, ...info })}\r\n`);
    socket.setEncoding("latin1").on("data", (text: string) => {
      told += text;
      onTold(text, socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { host: `127.0.0.1:${port}`, calls: () => calls, told: () => told };
}
