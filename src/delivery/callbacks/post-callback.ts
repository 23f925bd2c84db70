import { createHmac } from "node:crypto";
import { request } from "node:http";

type PostCallback = {
  /** Already checked. The connection goes there and nowhere else: no name is looked up again. */
  address: string;
  url: string;
  body: string;
  secret: string;
  signal: AbortSignal;
};

/** Far more than the headers of any honest answer. */
const MOST_HEADERS = 8 * 1024;

/**
 * POSTs an answer, signed, and gives the status. Redirects are not followed, no credentials go along, and nothing of what comes back
 * but its status is read.
 */
export function postCallback({ address, url, body, secret, signal }: PostCallback): Promise<number> {
  const { host, port, pathname, search } = new URL(url);
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        method: "POST",
        host: address,
        port: port === "" ? 80 : Number(port),
        path: pathname + search,
        headers: {
          host,
          "content-type": "application/json",
          "content-length": bytes.length,
          "x-huddle-signature": `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`,
          connection: "close",
        },
        agent: false,
        maxHeaderSize: MOST_HEADERS,
        signal,
      },
      (incoming) => {
        incoming.destroy();
        resolve(incoming.statusCode ?? 0);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}
