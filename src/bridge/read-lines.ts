import { createLineCutter } from "../model/lines.js";
import { parseJson } from "../model/parse-json.js";
import { type Id, isId } from "./json.js";

/** Far above what a hub takes, and a bound for what a client that went wrong can make us hold. */
export const LINE_LIMIT = 32 * 1024 * 1024;

type LineHandlers = {
  onLine(line: Buffer): void;
  /** With the id of the message that it was, if its ends show one. */
  onTooLong(size: number, id: Id | null): void;
  onEnd(): void;
};

export function readLines(
  input: NodeJS.ReadableStream,
  { onLine, onTooLong, onEnd }: LineHandlers,
  limit = LINE_LIMIT,
): void {
  const lines = createLineCutter(limit, {
    onLine,
    onTooLong: ({ size, head, tail }) => onTooLong(size, findId(head, tail)),
  });
  input.on("data", lines.push);
  input.on("end", () => {
    lines.end();
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
