import { writeSync } from "node:fs";

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
