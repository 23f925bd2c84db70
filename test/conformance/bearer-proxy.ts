import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy for clients that cannot send headers: it adds the token. Host and Origin pass as they are, but for its own address. */
export async function startBearerProxy(hubPort: number, token: string) {
  let own = 0;
  /** The hub answers to its own address only; a foreign one is what it must refuse. */
  const rename = (value: string) =>
    value.replace(
      new RegExp(`^((?:https?://)?(?:127\\.0\\.0\\.1|localhost|\\[::1\\])):${own}$`),
      `$1:${hubPort}`,
    );
  function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const { host, origin } = headers;
    return {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(host === undefined ? {} : { host: rename(host) }),
      ...(origin === undefined ? {} : { origin: rename(origin) }),
    };
  }
  const server = createServer((incoming, outgoing) => {
    const { method, url } = incoming;
    const onward = request(
      { host: "127.0.0.1", port: hubPort, method, path: url, headers: forwarded(incoming.headers) },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  own = (server.address() as AddressInfo).port;
  return {
    url: (query: string) => `http://localhost:${own}/mcp${query}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
