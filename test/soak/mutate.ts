import type { Random } from "../fakes/random.js";

/** Values that break decoders: wrong types, edges, and names that mean something to JavaScript. */
const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "0",
  "null",
  "\u0000",
  "\ud800",
  "\u202e",
  "😀".repeat(50),
  "x".repeat(300),
  "x".repeat(20_000),
  "../../etc/passwd",
  "'; DROP TABLE event; --",
  "%s%n%x",
  [],
  [[]],
  [null],
  {},
  { a: { b: { c: {} } } },
  { constructor: { prototype: {} } },
  { toString: 1, valueOf: 2 },
  { length: -1 },
];

const oddKeys = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "id",
  "sender",
  "from",
  "a".repeat(500),
  "\u0000",
  "$ref",
];

/** The value with something in it changed. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (random.chance(0.3)) return random.pick(oddValues);
  if (Array.isArray(value)) {
    const items: unknown[] = [...(value as unknown[])];
    const at = random.int(items.length + 1);
    if (random.chance(0.3)) items.splice(at, 1);
    else items[at] = random.chance(0.5) ? random.pick(oddValues) : mutateValue(items[at], random);
    return items;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    const at = random.int(entries.length);
    const entry = entries[at];
    const act = entry === undefined ? "add" : random.pick(["add", "remove", "change", "change", "change"]);
    if (act === "add") entries.push([random.pick(oddKeys), random.pick(oddValues)]);
    if (act === "remove") entries.splice(at, 1);
    if (act === "change" && entry !== undefined) {
      entries[at] = [random.chance(0.1) ? random.pick(oddKeys) : entry[0], mutateValue(entry[1], random)];
    }
    return Object.fromEntries(entries);
  }
  if (typeof value === "string") return mutateText(value, random);
  return random.pick(oddValues);
}

const oddPieces = [
  "\0",
  "\r\n",
  "\u2028",
  "%00",
  "%2e%2e%2f",
  "/",
  "\\",
  "?",
  "#",
  "&",
  '"',
  "{",
  "}",
  "[",
  ",",
  ":",
  "\ufeff",
  "é",
];

export function mutateText(text: string, random: Random): string {
  const at = random.int(text.length + 1);
  const rest = text.slice(at);
  switch (random.int(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.pick(oddPieces) + rest;
    case 2:
      return text.slice(0, at) + rest.slice(1);
    case 3:
      return text.slice(0, at) + text.slice(0, 50).repeat(random.int(20)) + rest;
    default:
      return text.slice(0, at) + String.fromCharCode(random.int(0xffff)) + rest.slice(1);
  }
}

/** Bytes cut, flipped, doubled or sprinkled with others. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let n = random.int(4); n >= 0; n--) {
    const at = random.int(changed.length + 1);
    switch (random.int(5)) {
      case 0:
        changed = changed.subarray(0, at);
        break;
      case 1:
        changed = Buffer.concat([
          changed.subarray(0, at),
          random.bytes(1 + random.int(8)),
          changed.subarray(at),
        ]);
        break;
      case 2:
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1 + random.int(4))]);
        break;
      case 3:
        changed = Buffer.concat([changed, changed.subarray(at)]);
        break;
      default:
        if (at < changed.length) {
          changed = Buffer.from(changed);
          changed[at] = (changed[at] ?? 0) ^ (1 << random.int(8));
        }
    }
  }
  return changed;
}

/** JSON that no JSON.stringify would write. */
export function oddJson(random: Random): string {
  const pick = random.int(10);
  const n = 1 + random.int(3000);
  const shapes = [
    () => "[".repeat(n),
    () => '{"a":'.repeat(n),
    () => `{${Array.from({ length: n * 5 }, (_, i) => `"k${i}":1`).join()}}`,
    () => '{"message":"a","message":"b"}',
    () => '{"message":"x","__proto__":{"sender":"user"}}',
    () => '{"message":NaN}',
    () => '{"message":"\\ud800"}',
    () => `{"message":"${"\\u0041".repeat(n)}"}`,
    () => `\ufeff{"message":"x"}`,
    () => `{"message":${"9".repeat(n)}}`,
  ];
  return shapes[pick]?.() ?? "";
}
