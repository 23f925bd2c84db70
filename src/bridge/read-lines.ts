import { parseJson } from "../model/parse-json.js";
import { type Id, isId } from "./json.js";

/** Far above what a hub takes, and a bound for what a client that went wrong can make us hold. */
export const LINE_LIMIT = 32 * 1024 * 1024;
const END_KEPT = 512;

type LineHandlers = {
  onLine(line: Buffer): void;
  /** A line that is too long is not kept, but for its ends. */
  onTooLong(size: number, id: Id | null): void;
  onEnd(): void;
};

/** LF only: readline also splits on U+2028, which JSON allows. A last line needs none. */
export function readLines(
  input: NodeJS.ReadableStream,
  { onLine, onTooLong, onEnd }: LineHandlers,
  limit = LINE_LIMIT,
): void {
  let parts: Buffer[] = [];
  let size = 0;
  let head = "";
  let tail = "";

  function add(piece: Buffer): void {
    size += piece.length;
    if (size <= limit) {
      parts.push(piece);
      return;
    }
    if (parts.length > 0) head = Buffer.concat(parts, Math.min(END_KEPT, limit)).toString("utf8");
    parts = [];
    tail = (tail + piece.toString("utf8", Math.max(0, piece.length - END_KEPT))).slice(-END_KEPT);
  }

  function endLine(): void {
    if (size > limit) onTooLong(size, findId(head, tail));
    else if (size > 0) onLine(Buffer.concat(parts));
    parts = [];
    size = 0;
    head = "";
    tail = "";
  }

  input.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at));
      endLine();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  });
  input.on("end", () => {
    endLine();
    onEnd();
  });
}

/** The id of a message of which only the ends are left, where it stands as a key of the message itself. */
export function findId(head: string, tail: string): Id | null {
  const id = `"id"\\s*:\\s*(\\d{1,15}|"[^"\\\\]{1,200}")`;
  const before = `(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*,\\s*)*`;
  const first = new RegExp(`^\\s*\\{\\s*${before}${id}\\s*,`).exec(head);
  const last = new RegExp(`,\\s*${id}\\s*\\}\\s*$`).exec(tail);
  const found = parseJson((first ?? last)?.[1] ?? "null");
  return isId(found) ? found : null;
}
