import { randomBytes } from "node:crypto";

/** Ends the messages of one prompt, once: 40 random bits, which nobody who wrote before can have known. */
export function newMark(): string {
  return randomBytes(5).toString("hex");
}
