const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A UUIDv7: 48 bits of milliseconds, then randomness, so that ids made later sort later. */
export function uuid7(wallMs: number, random: Uint8Array): string {
  const bytes = Uint8Array.from(random.subarray(0, 16));
  const ms = Math.max(0, Math.floor(wallMs));
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(ms / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let hex = "";
  for (const byte of bytes) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Randomness is fetched for many ids at once: one system call each would cost more than the id. */
const pool = new Uint8Array(2048);
let used = pool.length;

export function newUuid7(): string {
  if (used + 16 > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + 16);
  used += 16;
  return uuid7(Date.now(), random);
}
