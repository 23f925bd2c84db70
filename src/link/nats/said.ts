import { randomBytes } from "node:crypto";
import type { z } from "zod";

/* Inside a seal: a line of JSON about the body, then the body. */

export function writeSaid<S extends z.ZodType>(_: S, head: z.output<S>, body: string): string {
  return `${JSON.stringify(head)}\n${body}`;
}

/** Undefined for what is not so. */
export function readSaid<S extends z.ZodType>(
  schema: S,
  content: Buffer,
): { head: z.output<S>; body: Buffer } | undefined {
  const end = content.subarray(0, LINE_BYTES).indexOf("\n");
  const read = end === -1 ? undefined : schema.safeParse(parse(content.toString("utf8", 0, end)));
  return read?.success === true ? { head: read.data, body: content.subarray(end + 1) } : undefined;
}

const LINE_BYTES = 1024;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What an answer is known by. */
export function newMark(): string {
  return randomBytes(12).toString("base64url");
}
