import { Agent, type IncomingHttpHeaders, request } from "node:http";

/*
 * A plain HTTP client of the tests' own, on node:http with kept-alive connections: what is tested is the hub, not
 * our client.
 */

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; an empty object when it is none. */
  json: Record<string, unknown>;
};

export type CallOptions = {
  token?: string | undefined;
  /** Sent as JSON; a Buffer or a string as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent in chunks, without saying how long it is. */
  chunked?: boolean;
  signal?: AbortSignal;
};

export type Caller = {
  url: string;
  /** Rejects when the connection breaks before the whole answer is there. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): void;
};

/** `keepAlive`: unless each call has a connection of its own. */
export function createCaller(url: string, connections = 64, keepAlive = true): Caller {
  const agent = new Agent({ keepAlive, maxSockets: connections });
  const { hostname, port } = new URL(url);

  function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const body = encode(options.body);
    const headers: Record<string, string> = {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(body === undefined || options.chunked === true ? {} : { "content-length": String(body.length) }),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      const { signal } = options;
      const sent = request(
        { agent, hostname, port, method, path, headers, ...(signal === undefined ? {} : { signal }) },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("aborted", () => reject(new Error("the answer broke off")));
          incoming.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              json: parseObject(text),
            });
          });
        },
      );
      sent.on("error", reject);
      if (options.chunked === true) sent.flushHeaders();
      sent.end(body);
    });
  }

  return { url, call, close: () => agent.destroy() };
}

function encode(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
