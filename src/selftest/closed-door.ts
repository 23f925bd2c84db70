import { createServer } from "node:http";

/*
 * The proxy that the CLIs are told to use for everything beyond this machine: it refuses, and remembers what was asked for. So a CLI that
 * calls its maker, in spite of what it was told, is refused at once, and the person can be told where it wanted to go.
 */
export type ClosedDoor = {
  url: string;
  /** Hosts that were asked for, each once. */
  refused(): string[];
  close(): Promise<void>;
};

export async function startClosedDoor(): Promise<ClosedDoor> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const { url = "" } = request;
    asked.add(URL.canParse(url) ? new URL(url).host : (request.headers.host ?? url));
    response.writeHead(403, { "content-type": "text/plain", connection: "close" });
    response.end("huddle selftest lets nothing leave this machine\n");
  });
  server.on("connect", (request, socket) => {
    asked.add(request.url ?? "");
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    refused: () => [...asked].sort(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
