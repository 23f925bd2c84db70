/*
 * Reads the answer to one HTTP/1.1 request as its bytes come:
 *
 *   head     the status line and the headers, up to an empty line; those of a 1xx are skipped
 *   body     so many bytes, or chunks of them, or all until the connection closes
 *   ended    whole; the next answer needs a parser of its own
 */

type AnswerHead = { status: number; headers: ReadonlyMap<string, string> };

type AnswerParser = {
  /** Throws when this is not HTTP. */
  take(bytes: Buffer): void;
  /** The connection closed. True when the answer is whole all the same. */
  closed(): boolean;
  hasEnded(): boolean;
  /** The connection may carry another exchange. */
  canStay(): boolean;
};

export type AnswerListener = { onHead(head: AnswerHead): void; onData(bytes: Buffer): void };

const HEAD_LIMIT = 64 * 1024;

type Mode = "head" | "bytes" | "size" | "chunk" | "trailer" | "until close" | "ended";

export function createAnswerParser({ onHead, onData }: AnswerListener): AnswerParser {
  let mode: Mode = "head";
  let rest: Buffer | undefined;
  let left = 0;
  let stays = true;

  /** How much of `bytes` it took; none when more must come first. */
  function step(bytes: Buffer): number {
    switch (mode) {
      case "head": {
        const at = bytes.indexOf("\r\n\r\n");
        if (at !== -1) readHead(bytes.toString("latin1", 0, at));
        else if (bytes.length > HEAD_LIMIT) throw new Error("the head of the answer has no end");
        return at === -1 ? 0 : at + 4;
      }
      case "size": {
        const line = lineIn(bytes);
        if (line === undefined) return 0;
        const size = /^([0-9a-f]{1,8})(?:[ ;]|$)/i.exec(line)?.[1];
        if (size === undefined) throw new Error("a chunk of the answer has no size");
        left = Number.parseInt(size, 16);
        mode = left === 0 ? "trailer" : "chunk";
        return line.length + 2;
      }
      case "chunk": {
        if (left === 0) {
          if (bytes.length < 2) return 0;
          mode = "size";
          return 2;
        }
        return giveBytes(bytes);
      }
      case "bytes": {
        const given = giveBytes(bytes);
        if (left === 0) mode = "ended";
        return given;
      }
      case "trailer": {
        const line = lineIn(bytes);
        if (line === "") mode = "ended";
        return line === undefined ? 0 : line.length + 2;
      }
      case "until close":
        onData(bytes);
        return bytes.length;
      case "ended":
        throw new Error("more came than was asked for");
    }
  }

  function giveBytes(bytes: Buffer): number {
    const given = bytes.subarray(0, left);
    left -= given.length;
    onData(given);
    return given.length;
  }

  function readHead(text: string) {
    const [first = "", ...lines] = text.split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new Error("the answer is not HTTP");
    if (status < 200) return;
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    const length = headers.get("content-length");
    stays = first.startsWith("HTTP/1.1") && headers.get("connection")?.toLowerCase() !== "close";
    onHead({ status, headers });
    if (headers.get("transfer-encoding")?.toLowerCase() === "chunked") mode = "size";
    else if (length !== undefined || status === 204) {
      left = Number(length ?? 0);
      if (!Number.isSafeInteger(left)) throw new Error("the length of the answer is no number");
      mode = "bytes";
      if (left === 0) mode = "ended";
    } else {
      stays = false;
      mode = "until close";
    }
  }

  return {
    take(bytes) {
      let unread = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
      rest = undefined;
      while (unread.length > 0) {
        const taken = step(unread);
        if (taken === 0) {
          rest = unread;
          return;
        }
        unread = unread.subarray(taken);
      }
    },
    closed() {
      if (mode === "until close") mode = "ended";
      return mode === "ended";
    },
    hasEnded: () => mode === "ended",
    canStay: () => stays,
  };
}

function lineIn(bytes: Buffer): string | undefined {
  const at = bytes.indexOf("\r\n");
  if (at === -1 && bytes.length > HEAD_LIMIT) throw new Error("a line of the answer has no end");
  return at === -1 ? undefined : bytes.toString("latin1", 0, at);
}
