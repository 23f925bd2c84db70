/* As much of DER as a certificate needs. */

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts);
export const octets = (content: Uint8Array) => der(0x04, content);
export const bits = (content: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), content);
export const yes = () => der(0x01, Buffer.from([0xff]));
export const utf8 = (text: string) => der(0x0c, Buffer.from(text));
/** A context tag: around its content, or in place of its tag. */
export const tagged = (n: number, ...parts: readonly Uint8Array[]) => der(0xa0 | n, ...parts);
export const implicit = (n: number, content: Uint8Array) => der(0x80 | n, content);

/** Never negative: a leading zero where the first bit is set. */
export function integer(bytes: Uint8Array): Buffer {
  const isHigh = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, isHigh ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(n: number): number[] {
  const low = [n & 0x7f];
  for (let left = n >>> 7; left > 0; left >>>= 7) low.unshift(0x80 | (left & 0x7f));
  return low;
}

/** UTCTime up to 2049, GeneralizedTime after it, as RFC 5280 wants. */
export function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, "").slice(0, 14);
  return digits < "2050"
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
}
