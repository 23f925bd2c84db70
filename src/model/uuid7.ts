const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A UUIDv7: 48 bits of milliseconds, then randomness, so that ids made later sort later. */
export function uuid7(wallMs: number, random: Uint8Array): string {
  const time = Math.max(0, Math.floor(wallMs)).toString(16).padStart(12, "0").slice(-12);
  const hex = (i: number) => HEX[random[i] ?? 0] ?? "";
  const version = HEX[((random[6] ?? 0) & 0x0f) | 0x70] ?? "";
  const variant = HEX[((random[8] ?? 0) & 0x3f) | 0x80] ?? "";
  const node = hex(10) + hex(11) + hex(12) + hex(13) + hex(14) + hex(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex(7)}-${variant}${hex(9)}-${node}`;
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

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
