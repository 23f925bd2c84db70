import { connect } from "node:net";
import { parseObject } from "./http-call.js";
import { PATIENCE_MS } from "./patience.js";

export type RawAnswer = { status: number; json: Record<string, unknown>; text: string; closed: boolean };

export type RawOptions = {
  /** Pause before each further piece. */
  everyMs?: number;
  /** Close our side after the last piece, as a client that gives up does. */
  halfClose?: boolean;
  timeoutMs?: number;
};

/**
 * Writes bytes to the hub as they are, in pieces, and reads until the hub closes, the first answer is complete or the
 * time is up. Status 0: no answer came.
 */
export function sendRaw(
  port: number,
  pieces: readonly (string | Buffer)[],
  { everyMs = 0, halfClose = false, timeoutMs = PATIENCE_MS }: RawOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    let closed = false;
    let dripping: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(dripping);
      socket.destroy();
      resolve({ ...parseAnswer(Buffer.concat(chunks)), closed });
    };
    const timer = setTimeout(finish, timeoutMs);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (isComplete(Buffer.concat(chunks))) finish();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
      finish();
    });
    let next = 0;
    const write = () => {
      const piece = pieces[next++];
      if (piece === undefined) {
        if (halfClose) socket.end();
        return;
      }
      socket.write(piece);
      if (everyMs === 0) write();
      else dripping = setTimeout(write, everyMs);
    };
    socket.once("connect", write);
  });
}

function parseAnswer(bytes: Buffer): { status: number; json: Record<string, unknown>; text: string } {
  const text = bytes.toString("utf8");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const at = text.indexOf("\r\n\r\n");
  const body = at === -1 ? "" : text.slice(at + 4);
  return { status, json: parseObject(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1)), text };
}

/** The hub answers with a length, or in chunks that end with an empty one. */
function isComplete(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  const at = text.indexOf("\r\n\r\n");
  if (at === -1 || text.startsWith("HTTP/1.1 100")) return false;
  const head = text.slice(0, at).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return text.length >= at + 4 + Number(length);
  if (head.includes("transfer-encoding: chunked")) return text.endsWith("0\r\n\r\n");
  return /^http\/1\.1 (204|304|101)/.test(head);
}
