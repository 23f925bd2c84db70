import type { Readable } from "node:stream";
import { RuntimeError } from "../runtime.js";

/** The longest line taken from an agent. Longer ones are no protocol that we speak, and are not gathered in memory. */
const longestLine = 16 * 1024 * 1024;

/** The lines of a stream of bytes, decoded. LF only: readline also splits on U+2028, which JSON allows. */
export async function* readLines(stream: Readable, limit = longestLine): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    let rest: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      parts.push(rest.subarray(0, at));
      yield decode(parts);
      parts = [];
      length = 0;
      rest = rest.subarray(at + 1);
    }
    parts.push(rest);
    length += rest.length;
    if (length > limit) {
      throw new RuntimeError("BACKEND_FAILED", `The agent wrote a line of more than ${limit} bytes.`, {
        limit,
      });
    }
  }
  if (length > 0) yield decode(parts);
}

function decode(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
}
