import { writeSync } from "node:fs";

/** More of an event is not looked at: what matters comes first in it. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Everything that the program tells us. It is taken to its end, so that nobody writes into a closed pipe. */
export function readStdin(): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    process.stdin.on("data", (chunk: Buffer) => {
      if (size < MOST_BYTES) chunks.push(chunk);
      size += chunk.length;
    });
    const end = () => resolve(Buffer.concat(chunks).toString("utf8"));
    process.stdin.on("end", end);
    process.stdin.on("error", end);
  });
}

/** To the end, before it returns: what follows may end the process. */
export function writeAll(text: string, fd: 1 | 2): void {
  const bytes = Buffer.from(`${text}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}
