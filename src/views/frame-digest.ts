import { createHash } from "node:crypto";
import type { Frame } from "../model/link.js";

/** By which two hubs see that they mean the same frame. Of the frame as it came: its fields are in the order in which they were written. */
export function frameDigest(frame: Frame): string {
  return digestOf(JSON.stringify(frame));
}

export function digestOf(json: string): string {
  return createHash("sha256").update(json).digest("hex");
}
