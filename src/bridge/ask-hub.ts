import { type Exchange, exchange } from "./connections.js";
import { createEventReader } from "./event-reader.js";
import { Unreachable } from "./failures.js";

export type Headers = Readonly<Record<string, string>>;

type Ask = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  token: string;
  body?: Buffer | string;
  /** Values MUST be fit for a header. */
  headers?: Headers;
  /** How long the hub may be silent. */
  silenceMs?: number;
  /** Takes the events of an answer that is a stream of them; their text is not kept. */
  onEvent?: (data: string) => void;
  onRequest?: (request: Exchange) => void;
};

type HubAnswer = { status: number; text: string };

const SILENCE_MS = 10_000;

/** Rejects with Unreachable when the connection fails, or breaks before the whole answer is there. */
export function askHub(hub: string, ask: Ask): Promise<HubAnswer> {
  const { body = "", silenceMs = SILENCE_MS, onEvent } = ask;
  const url = new URL(hub);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let take = (chunk: Buffer): void => void chunks.push(chunk);
    const request = exchange(
      { url, head: headOf(url, ask), body, silenceMs },
      {
        onHead(head) {
          status = head.status;
          const isStream = head.headers.get("content-type")?.startsWith("text/event-stream") === true;
          if (isStream && onEvent) take = createEventReader(onEvent);
        },
        onData: (chunk) => take(chunk),
        onEnd: () => resolve({ status, text: Buffer.concat(chunks).toString("utf8") }),
        onLost: (error) => reject(new Unreachable(`${hub}: ${error.message}`, { cause: error })),
      },
    );
    ask.onRequest?.(request);
  });
}

function headOf({ host }: URL, { method, path, token, body = "", headers }: Ask): string {
  const lines = Object.entries({
    ...headers,
    host,
    ...(body.length === 0 ? {} : { "content-type": "application/json" }),
    "content-length": String(Buffer.byteLength(body)),
    authorization: `Bearer ${token}`,
  });
  if (lines.some(([, value]) => /[\r\n\0]/.test(value)))
    throw new Error("a header must be one line; is the token?");
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}
