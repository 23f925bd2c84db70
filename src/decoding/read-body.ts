import type { IncomingMessage } from "node:http";
import { HubError } from "../model/errors.js";

/** Beyond this much too much, the connection is cut instead. */
const DISCARD_AT_MOST = 64 * 1024 * 1024;

/** The whole body, if it is not too large. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  // Most bodies came with their headers. The parser is through with them once what called us has returned.
  await Promise.resolve();
  if (incoming.complete && incoming.readableLength <= limit) {
    const whole: unknown = incoming.read();
    return Buffer.isBuffer(whole) ? whole : Buffer.alloc(0);
  }
  return collect(incoming, limit);
}

/**
 * As it comes in from the socket. Of one that is too large nothing is kept, and the rest is thrown away: hanging up on a
 * client that is still writing would lose it the answer that says why.
 */
function collect(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(incoming.headers["content-length"] ?? 0);
  if (declared > limit + DISCARD_AT_MOST) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (size <= limit + DISCARD_AT_MOST) return;
      incoming.pause();
      incoming.removeAllListeners("data");
      reject(tooLarge(limit));
    });
    incoming.once("end", () => {
      const [only] = chunks;
      if (size > limit) reject(tooLarge(limit));
      else resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    const broken = () =>
      reject(new HubError("BAD_JSON", "The connection closed before the whole body arrived"));
    incoming.once("error", broken);
    incoming.once("close", () => {
      if (!incoming.complete) broken();
    });
  });
}

function tooLarge(limit: number): HubError {
  return new HubError("BODY_TOO_LARGE", `The body is larger than ${limit} bytes`, { limit });
}
