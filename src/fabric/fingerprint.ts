import { createHash } from "node:crypto";
import type { HubId } from "../model/link.js";

const FINGERPRINT_BYTES = 20;
export const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** The id of a hub follows from its public key (SPKI in base64), so nobody can take another's. */
export function fingerprintOf(publicKey: string): HubId {
  const bytes = createHash("sha256").update(Buffer.from(publicKey, "base64")).digest();
  return toBase32(bytes.subarray(0, FINGERPRINT_BYTES));
}

function toBase32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >> (bits - 5)) & 31);
  }
  return text;
}
