import { createHash } from "node:crypto";

/** An id that is made from what names a call, so that the call can be made again: a UUID of version 8. */
export function repeatableId<C extends string | undefined>(call: C, what: string): C | string {
  if (call === undefined) return call;
  const bytes = createHash("sha256").update(`${what}\0${call}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
