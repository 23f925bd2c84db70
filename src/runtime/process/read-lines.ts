import type { Readable } from "node:stream";
import { createLineCutter } from "../../model/lines.js";
import { RuntimeError } from "../runtime.js";

/** The longest line taken from an agent. Longer ones are no protocol that we speak, and are not gathered in memory. */
const longestLine = 16 * 1024 * 1024;

/** The lines of a stream of bytes, decoded. One that is too long ends it with an error. */
export async function* readLines(stream: Readable, limit = longestLine): AsyncGenerator<string> {
  let lines: string[] = [];
  const cutter = createLineCutter(limit, {
    onLine: (line) => lines.push(line.toString("utf8").replace(/\r$/, "")),
    onTooLong() {
      throw tooLong(limit);
    },
  });
  for await (const chunk of stream) {
    cutter.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    yield* lines;
    lines = [];
    if (cutter.pending() > limit) throw tooLong(limit);
  }
  cutter.end();
  yield* lines;
}

function tooLong(limit: number): RuntimeError {
  return new RuntimeError("BACKEND_FAILED", `The agent wrote a line of more than ${limit} bytes.`, { limit });
}
